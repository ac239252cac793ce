import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setSecurityHeaders } from './security-headers.ts'

const http = fastify()
beforeAll(() => {
  setSecurityHeaders(http, { page: '<script>let a</script>', isHttps: false })
  http.get('/', async () => 'page')
})
afterAll(() => http.close())

async function scriptsAt(host: string): Promise<string> {
  const { headers } = await http.inject({ url: '/', headers: { host } })
  return /script-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1] ?? ''
}

describe('the policy of a page', () => {
  it.each(['atrium.example', 'localhost:3000', '[::1]:3000'])(
    'names its own address for frames without an origin: %s',
    async (host) => {
      const [own, address, ...others] = (await scriptsAt(host)).split(' ')
      expect([own, address]).toEqual(["'self'", `http://${host}`])
      expect(others.join(' ')).toMatch(/^'wasm-unsafe-eval' 'sha256-[^ ]+'$/)
    },
  )

  it.each(['a.example b.example', "a.example; script-src 'unsafe-inline'", '*', 'https://a.example'])(
    'takes no other sources from the address of a request: %s',
    async (host) => {
      expect(await scriptsAt(host)).toMatch(/^'self' 'self' 'wasm-unsafe-eval' 'sha256-[^ ]+'$/)
    },
  )
})
