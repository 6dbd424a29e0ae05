import { describe, expect, it } from 'vitest'
import { refuseAll, resolve } from './resolving.ts'

describe('news', () => {
  const site = { url: 'https://www.example.com', title: 'Example', language: 'fr-CA' }

  it.each([
    { name: 'nothing', news: undefined, resolved: { name: 'Example', language: 'fr-CA' } },
    { name: 'an empty object', news: {}, resolved: { name: 'Example', language: 'fr-CA' } },
    { name: 'a name', news: { name: 'The Example' }, resolved: { name: 'The Example', language: 'fr-CA' } },
    { name: 'a language', news: { language: 'zh-TW' }, resolved: { name: 'Example', language: 'zh-TW' } },
  ])('$name: what is missing is the site’s', ({ news, resolved }) => {
    expect(resolve({ site, news }).news).toEqual(resolved)
  })
})

describe('faults', () => {
  refuseAll([
    {
      name: 'news false',
      more: { news: false },
      line: 'option "news" is false (boolean): expected an object. Its keys are name, language.',
    },
    {
      name: 'an empty name',
      more: { news: { name: ' ' } },
      line: 'option "news.name" is " " (string): expected text of one line that is not empty. Leave it out for site.title.',
    },
    {
      name: 'a language with an underscore',
      more: { news: { language: 'fr_CA' } },
      line: `option "news.language" is "fr_CA" (string): expected a language tag such as en or fr-CA. Write 'fr-CA'.`,
    },
  ])
})
