import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
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
