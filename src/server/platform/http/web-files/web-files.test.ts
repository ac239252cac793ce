import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTurns } from '../turns/turns.ts'
import { serveWeb } from './web-files.ts'

const code = 'export const a = 1\n'.repeat(200)
const small = { br: brotliCompressSync(code), gzip: gzipSync(code) }
const limits = { ATRIUM_LIMIT_REQUESTS_AT_ONCE: 6, ATRIUM_LIMIT_SHARE_PERCENT: 8 }
const http = fastify()
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-web-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'assets', 'a-1.js'), code)
  writeFileSync(join(folder, 'assets', 'a-1.js.br'), small.br)
  writeFileSync(join(folder, 'assets', 'a-1.js.gz'), small.gzip)
  writeFileSync(join(folder, 'embed.js'), code)
  writeFileSync(join(folder, 'embed.js.br'), small.br)
  serveWeb(http, { folder, page: '<!doctype html>', framing: async () => null, turns: createTurns(limits) })
})
afterAll(async () => {
  await http.close()
  rmSync(folder, { recursive: true })
})

it.each(['br', 'gzip'] as const)(
  'serves a file as compressed by the build, with an unlimited lifetime (%s)',
  async (encoding) => {
    const { headers, rawPayload } = await http.inject({
      url: '/assets/a-1.js',
      headers: { 'accept-encoding': encoding },
    })
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers['content-type']).toContain('javascript')
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(rawPayload.equals(small[encoding])).toBe(true)
  },
)

it('serves the uncompressed file to clients without compression', async () => {
  const { headers, payload } = await http.inject('/assets/a-1.js')
  expect([headers['content-encoding'], payload]).toEqual([undefined, code])
})

it.each(['br', 'identity'])('lets pages of other sites load the embed script (%s)', async (encoding) => {
  const { statusCode, headers } = await http.inject({
    url: '/embed.js',
    headers: { 'accept-encoding': encoding },
  })
  expect([statusCode, headers['cross-origin-resource-policy']]).toEqual([200, 'cross-origin'])
})

describe('file of the interface', () => {
  it('is not sent again to a client that has it', async () => {
    const first = await http.inject('/embed.js')
    const again = await http.inject({ url: '/embed.js', headers: { 'if-none-match': first.headers.etag } })
    expect([again.statusCode, again.payload, again.headers['cache-control']]).toEqual([304, '', 'no-cache'])
    expect(first.headers.etag).toMatch(/^"[\w-]{27}"$/)
  })

  it('is described without its bytes on HEAD', async () => {
    const { statusCode, headers, payload } = await http.inject({ method: 'HEAD', url: '/assets/a-1.js' })
    expect([statusCode, headers['content-length'], payload]).toEqual([200, String(code.length), ''])
  })

  it.each([
    ...['/assets/../../etc/passwd', '/assets/%2e%2e/%2e%2e/etc/passwd', '/assets/..%2f..%2fetc%2fpasswd'],
    ...['/assets/none.js', '/assets/', '/assets/a-1.js/', '/assets/A-1.js', '/assets//a-1.js'],
  ])('is found only by its own address, not %s', async (url) => {
    const { statusCode, payload } = await http.inject(url)
    expect(payload).not.toContain('root:')
    expect(payload).not.toContain(code)
    expect([404, 200]).toContain(statusCode)
    if (statusCode === 200) expect(payload).toBe('<!doctype html>')
  })

  it('comes from memory once it was read', async () => {
    const path = join(folder, 'assets', 'b-1.js')
    writeFileSync(path, 'b')
    const own = fastify()
    serveWeb(own, { folder, page: '<!doctype html>', framing: async () => null, turns: createTurns(limits) })
    expect((await own.inject('/assets/b-1.js')).payload).toBe('b')
    rmSync(path)
    expect((await own.inject('/assets/b-1.js')).payload).toBe('b')
    await own.close()
  })
})

describe('page', () => {
  it.each(['br', 'gzip'])('is compressed once, as the client accepts it (%s)', async (encoding) => {
    const { headers, rawPayload } = await http.inject({ url: '/', headers: { 'accept-encoding': encoding } })
    expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
    const plain = encoding === 'br' ? brotliDecompressSync(rawPayload) : gunzipSync(rawPayload)
    expect(plain.toString()).toBe('<!doctype html>')
  })
})

it('takes turns, files apart from pages', async () => {
  const lanes: string[] = []
  const turns = createTurns(limits)
  const own = fastify()
  const watched = {
    ...turns,
    take: (...given: Parameters<typeof turns.take>) => {
      lanes.push(given[0])
      return turns.take(...given)
    },
  }
  serveWeb(own, { folder, page: '<!doctype html>', framing: async () => null, turns: watched })
  for (const url of ['/', '/chat', '/assets/a-1.js', '/embed.js']) await own.inject(url)
  expect(lanes).toEqual(['127.0.0.1/read', '127.0.0.1/read', '127.0.0.1/files', '127.0.0.1/files'])
  await own.close()
})
