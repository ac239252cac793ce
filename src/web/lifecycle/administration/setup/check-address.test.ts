// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest'
import { BEAT_MS, BEATS } from '#shared/lifecycle/setup/setup.ts'
import { clearToken, setToken } from '../../../platform/lib/me/token.ts'
import { checkAddress, judge, summarise } from './check-address.ts'

afterEach(clearToken)

const seen = { public_url: null, seen: '', proxy: 'none' as const, proxy_address: null }
const found = (here: string, more: object) =>
  Object.fromEntries(
    judge({ ...seen, seen: here, ...more }, new URL(here)).map(({ about, found: what, isGood }) => [
      about,
      isGood ? what : `! ${what}`,
    ]),
  )

describe('the address check', () => {
  it('passes for the public address, over https and with a forwarding proxy', () => {
    const public_url = 'https://atrium.example.com/'
    expect(found('https://atrium.example.com', { public_url, proxy: 'named' })).toEqual({
      ...{ address: 'same', encryption: 'https', arrival: 'same', proxy: 'named' },
    })
    expect(found('http://127.0.0.1:3000', {})).toEqual({
      ...{ address: 'unset_here', encryption: 'here', arrival: 'same', proxy: 'none' },
    })
  })

  it('fails for another public address, unencrypted passwords or an unnamed proxy', () => {
    const public_url = 'https://atrium.example.com'
    const far = { public_url, seen: 'http://10.0.0.5:3000', proxy: 'unnamed' }
    expect(found('http://10.0.0.5', far)).toEqual({
      ...{ address: '! other', encryption: '! clear', arrival: '! other', proxy: '! unnamed' },
    })
    expect(found('http://10.0.0.5', {}).address).toBe('! unset')
  })

  it('does not call an address right that others cannot reach', () => {
    const summary = (here: string, more: object) =>
      summarise(judge({ ...seen, seen: here, ...more }, new URL(here)))
    const address = 'https://atrium.example.com'
    expect(summary(address, { public_url: address })).toBe('good')
    expect(summary('http://127.0.0.1:3000', {})).toBe('good_here')
    expect(summary('http://10.0.0.5', {})).toBe('not_good')
  })

  it.each([
    ['live', BEAT_MS],
    ['held', 0],
  ])('measures the timing of text that is %s', async (what, pause) => {
    setToken('t')
    globalThis.fetch = async (url) => {
      if (!String(url).endsWith('/beats')) return Response.json({ ...seen, seen: 'http://localhost' })
      const body = new ReadableStream({
        start: async (to) => {
          for (let n = 0; n < BEATS; n++) {
            to.enqueue(new TextEncoder().encode('event: beat\n\n'))
            await new Promise((resolve) => setTimeout(resolve, pause))
          }
          to.close()
        },
      })
      return new Response(body)
    }
    const { findings } = await checkAddress(new URL('http://localhost'), new AbortController().signal)
    expect(findings.find(({ about }) => about === 'streams')).toEqual({
      ...{ about: 'streams', found: what, isGood: what === 'live' },
    })
  })
})
