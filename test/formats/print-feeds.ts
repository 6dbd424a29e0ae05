/** Prints a feed in every format, for rss.test.ts to run in processes of other zones and locales. */
import { renderAtom } from '../../src/formats/atom.ts'
import { renderJsonFeed } from '../../src/formats/json-feed.ts'
import { renderRss } from '../../src/formats/rss.ts'
import { wholeFeed } from './feeds.ts'

process.stdout.write((await renderRss(wholeFeed)) + renderAtom(wholeFeed) + renderJsonFeed(wholeFeed))
process.stderr.write(`${new Date(0).getTimezoneOffset()} ${new Intl.NumberFormat().format(1_234.5)}`)
