import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { createFiles, type FileStore } from './files.ts'

const bytes = randomBytes(300_000)
const folder = mkdtempSync(join(tmpdir(), 'atrium-files-'))
const objects = new Map<string, Buffer>()
let s3: Server
let stores: Record<'a folder' | 'an S3-compatible store', FileStore>

beforeAll(async () => {
  s3 = await startS3Server(objects)
  const endpoint = `http://127.0.0.1:${(s3.address() as AddressInfo).port}`
  const local = parseConfig({ ATRIUM_DATA_DIR: folder })
  const remote = parseConfig({
    ATRIUM_DATA_DIR: folder,
    S3_ENDPOINT: endpoint,
    S3_BUCKET: 'atrium',
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
  })
  stores = { 'a folder': createFiles(local), 'an S3-compatible store': createFiles(remote) }
})
afterAll(() => {
  s3.close()
  s3.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(['a folder', 'an S3-compatible store'] as const)('files in %s', (kind) => {
  it('come back as they were written, whole or in part', async () => {
    const store = stores[kind]
    const written = await store.write(
      'docs/one.bin',
      Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)]),
    )
    expect(written).toEqual({
      key: 'docs/one.bin',
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    expect(await store.size('docs/one.bin')).toBe(bytes.length)
    expect(Buffer.concat(await (await store.read('docs/one.bin')).toArray()).equals(bytes)).toBe(true)
    const part = Buffer.concat(await (await store.read('docs/one.bin', { start: 10, end: 19 })).toArray())
    expect(part.equals(bytes.subarray(10, 20))).toBe(true)
    await store.remove('docs/one.bin')
    expect(await store.size('docs/one.bin')).toBeNull()
    await expect(store.read('docs/one.bin')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('leave nothing behind when they are too large', async () => {
    const store = stores[kind]
    const write = store.write('docs/large.bin', Readable.from([bytes]), { maxBytes: 1000 })
    await expect(write).rejects.toMatchObject({ code: 'too_large' })
    expect(await store.size('docs/large.bin')).toBeNull()
  })

  it('stay inside', async () => {
    await expect(stores[kind].write('../escape', Readable.from(['x']))).rejects.toThrow()
  })
})

/** PUT, GET with ranges, HEAD and DELETE of objects, as S3 answers them. */
async function startS3Server(store: Map<string, Buffer>): Promise<Server> {
  const server = createServer(async (request, response) => {
    const key = decodeURIComponent(request.url?.split('?')[0] ?? '')
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    if (request.method === 'PUT') {
      store.set(key, Buffer.concat(chunks))
      return response.writeHead(200, { etag: '"1"' }).end()
    }
    if (request.method === 'DELETE') {
      store.delete(key)
      return response.writeHead(204).end()
    }
    const found = store.get(key)
    if (!found) {
      return response
        .writeHead(404, { 'content-type': 'application/xml' })
        .end(request.method === 'HEAD' ? undefined : '<Error><Code>NoSuchKey</Code></Error>')
    }
    const range = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '')
    const body = range ? found.subarray(Number(range[1]), Number(range[2]) + 1) : found
    response
      .writeHead(range ? 206 : 200, { 'content-length': body.length, etag: '"1"' })
      .end(request.method === 'HEAD' ? undefined : body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
