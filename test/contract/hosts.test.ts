import { describeHost } from './host.ts'
import { HOSTS } from './starters.ts'

const [fastify] = HOSTS

for (const [name, start, kind] of HOSTS) describeHost(name, start, fastify?.[1] ?? start, kind)
