import { describe, expect, it } from 'vitest'
import { resolveOptions } from '../../src/options.ts'
import { refusal } from './resolving.ts'

const providers = { pages: ['/'] }
const one = { url: 'https://one.example.com', hosts: ['www.one.example.com'] }
const two = { url: 'https://two.example.com:8443/shop', id: 'second' }

describe('sites', () => {
  it('the list form: every host, alias or own, leads to its site', () => {
    const { sites } = resolveOptions({ sites: [one, two], providers })
    expect([...(sites?.byHost.keys() ?? [])]).toEqual([
      'one.example.com',
      'www.one.example.com',
      'two.example.com',
    ])
    expect([...(sites?.byId.keys() ?? [])]).toEqual(['one.example.com', 'second'])
    expect(sites?.lookUp).toBeUndefined()
  })

  it('each site has options of its own: what hangs on its URL and title', () => {
    const { sites } = resolveOptions({ sites: [one, two], providers, feed: { image: '/logo.png' } })
    const own = sites?.optionsOf({ ...two, title: 'Second', language: 'fr' })
    expect(own?.site).toMatchObject({
      base: 'https://two.example.com:8443/shop',
      id: 'second',
      title: 'Second',
    })
    expect(own?.news).toEqual({ name: 'Second', language: 'fr' })
    expect(own?.feed.settings.image?.url).toBe('https://two.example.com:8443/logo.png')
    expect(own?.sites).toBeUndefined()
  })

  it('the function form, and a header that names the host, in any case', () => {
    const find = () => null
    const { sites } = resolveOptions({ sites: find, hostHeader: 'X-Forwarded-Host', providers })
    expect(sites).toMatchObject({ lookUp: find, hostHeader: 'x-forwarded-host' })
  })

  it.each([
    { name: 'both', options: { site: one, sites: [two] }, line: 'either site or sites' },
    { name: 'neither a list nor a function', options: { sites: {} }, line: 'a list of sites, or a function' },
    { name: 'none', options: { sites: [] }, line: 'one site at least' },
    { name: 'a site without URL', options: { sites: [one, {}] }, line: 'option "sites[1].url" is missing' },
    {
      name: 'an unknown field of a site',
      options: { sites: [{ ...one, lang: 'en' }] },
      line: 'option "sites[0].lang" is not known',
    },
    {
      name: 'one host twice',
      options: { sites: [one, { ...two, hosts: ['ONE.example.com:80'] }] },
      line: 'option "sites[1].hosts" is "one.example.com", another site\'s',
    },
    {
      name: 'one id twice',
      options: { sites: [one, { ...two, id: 'one.example.com' }] },
      line: 'an id of its own',
    },
    {
      name: 'no host',
      options: { sites: [{ ...one, hosts: ['https://a.b/c'] }] },
      line: 'a host name, without scheme',
    },
    {
      name: 'hostHeader with one site',
      options: { site: one, hostHeader: 'x-host' },
      line: 'sites beside it',
    },
    { name: 'no header name', options: { sites: [one], hostHeader: 'x host' }, line: 'the name of a header' },
  ])('$name is refused by name', ({ options, line }) => {
    const { code, message } = refusal({ ...options, providers })
    expect(message).toContain(line)
    expect(code).toMatch(/^LSM_ERR_OPTION_(INVALID|UNKNOWN)$/)
    expect(message.split('\n')).toHaveLength(1)
  })
})
