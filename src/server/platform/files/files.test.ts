import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type S3Server, startS3Server } from '#tests/s3-server.ts'
import { parseConfig } from '../config/config.ts'
import { toAppError } from '../http/answer-errors.ts'
import { createFiles, type FileStore } from './files.ts'

const bytes = randomBytes(300_000)
const folder = mkdtempSync(join(tmpdir(), 'atrium-files-'))
const root = join(folder, 'files')
let s3: S3Server
let stores: Record<'a folder' | 'an S3-compatible store', FileStore>

beforeAll(async () => {
  s3 = await startS3Server()
  const remote = {
    S3_ENDPOINT: s3.url,
    S3_BUCKET: 'atrium',
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
  }
  stores = {
    'a folder': createFiles(parseConfig({ ATRIUM_DATA_DIR: folder })),
    'an S3-compatible store': createFiles(parseConfig({ ATRIUM_DATA_DIR: folder, ...remote })),
  }
})
afterAll(() => {
  s3.close()
  rmSync(folder, { recursive: true, force: true })
})

const read = async (store: FileStore, key: string, range?: { start: number; end: number }) =>
  Buffer.concat(await (await store.read(key, range)).toArray())

/** Emits some bytes, then fails. */
async function* broken(size: number) {
  for (let sent = 0; sent < size; sent += 1 << 20) yield Buffer.alloc(1 << 20, 7)
  throw new Error('the source broke')
}

describe.each(['a folder', 'an S3-compatible store'] as const)('files in %s', (kind) => {
  it('are read back as written, whole or in part', async () => {
    const store = stores[kind]
    const pieces = [bytes.subarray(0, 1000), bytes.subarray(1000)]
    const written = await store.write('docs/one.bin', Readable.from(pieces))
    expect(written).toEqual({
      key: 'docs/one.bin',
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    expect(await store.size('docs/one.bin')).toBe(bytes.length)
    expect((await read(store, 'docs/one.bin')).equals(bytes)).toBe(true)
    const part = await read(store, 'docs/one.bin', { start: 10, end: 19 })
    expect(part.equals(bytes.subarray(10, 20))).toBe(true)
    await store.remove('docs/one.bin')
    expect(await store.size('docs/one.bin')).toBeNull()
    await expect(store.read('docs/one.bin')).rejects.toMatchObject({ code: 'not_found' })
    await store.remove('docs/one.bin')
  })

  it('are listed by key', async () => {
    const store = stores[kind]
    const keys = ['docs/a.bin', 'docs/deep/er/b.bin', 'c.bin']
    for (const key of keys) await store.write(key, Readable.from([bytes]))
    expect((await Readable.from(store.list()).toArray()).sort()).toEqual(keys.sort())
    for (const key of keys) await store.remove(key)
    expect(await Readable.from(store.list()).toArray()).toEqual([])
  })

  it('of many parts are read back as written', async () => {
    const large = randomBytes(13 << 20)
    const pieces = Array.from({ length: 13 }, (_, i) => large.subarray(i << 20, (i + 1) << 20))
    await stores[kind].write('docs/large.bin', Readable.from(pieces))
    expect((await read(stores[kind], 'docs/large.bin')).equals(large)).toBe(true)
    await stores[kind].remove('docs/large.bin')
  })

  it.each([
    ['small', 1, 1000],
    ['large', 12 << 20, 11 << 20],
  ])('leave nothing behind if they are too large (%s)', async (_, size, maxBytes) => {
    const store = stores[kind]
    const content =
      size === 1 ? Readable.from([bytes]) : Readable.from([Buffer.alloc(size / 2), Buffer.alloc(size / 2)])
    const write = store.write('docs/too-large.bin', content, { maxBytes })
    await expect(write).rejects.toMatchObject({ code: 'too_large' })
    expect(await store.size('docs/too-large.bin')).toBeNull()
    expectNoDrafts()
  })

  it.each([0, 2 << 20, 12 << 20])(
    'leave nothing behind if their source fails after %i bytes',
    async (size) => {
      const store = stores[kind]
      const write = store.write('docs/broken.bin', Readable.from(broken(size)))
      await expect(write).rejects.toThrow('the source broke')
      expect(await store.size('docs/broken.bin')).toBeNull()
      expectNoDrafts()
    },
  )

  it('never interleave concurrent writes to the same key', async () => {
    const store = stores[kind]
    const versions = ['a', 'b', 'c', 'd'].map((letter) => Buffer.alloc(200_000, letter))
    await Promise.all(versions.map((version) => store.write('docs/race.bin', Readable.from([version]))))
    const found = await read(store, 'docs/race.bin')
    expect(versions.some((version) => version.equals(found))).toBe(true)
  })

  it.each([
    '../escape',
    'docs/../../escape',
    'docs/..',
    '/etc/passwd',
    '',
    '.',
    'docs//two',
    'docs/',
    'docs\\..\\escape',
    'nul\0l',
    'line\nbreak',
    '.drafts/x',
    'x'.repeat(256),
    `${'y/'.repeat(500)}z`,
  ])('stay inside the store: %j is not a valid key', async (key) => {
    const store = stores[kind]
    await expect(store.write(key, Readable.from(['x']))).rejects.toThrow('not a file key')
    await expect(store.read(key)).rejects.toThrow('not a file key')
    await expect(store.size(key)).rejects.toThrow('not a file key')
    await expect(store.remove(key)).rejects.toThrow('not a file key')
    expect(existsSync(join(folder, 'escape'))).toBe(false)
  })

  it.each(['%2e%2e/x', 'a b+c&d=e?f#g', 'dossier/été.pdf', '...', 'x'.repeat(255)])(
    'accept %j as a key',
    async (key) => {
      const store = stores[kind]
      await store.write(key, Readable.from(['x']))
      expect((await read(store, key)).toString()).toBe('x')
      await store.remove(key)
      expect(await store.size(key)).toBeNull()
    },
  )
})

describe('file folder', () => {
  it('is readable only by its owner', async () => {
    await stores['a folder'].write('secret/one.bin', Readable.from(['x']))
    const modes = [root, join(root, 'secret'), join(root, 'secret/one.bin')].map(
      (path) => statSync(path).mode & 0o777,
    )
    expect(modes).toEqual([0o700, 0o700, 0o600])
  })

  it('reports no file where there is a folder', async () => {
    mkdirSync(join(root, 'folder/inner'), { recursive: true })
    writeFileSync(join(root, 'plain'), '')
    expect(await stores['a folder'].size('folder/inner')).toBeNull()
    expect(await stores['a folder'].size('plain/below')).toBeNull()
    await expect(stores['a folder'].read('folder/inner')).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('failing S3-compatible store', () => {
  it.each([403, 500, 0])(
    'with %i is named in the error and not mistaken for the database',
    { timeout: 30_000 },
    async (status) => {
      const store = stores['an S3-compatible store']
      s3.fail(status)
      const calls = [
        store.write('docs/one.bin', Readable.from([bytes])),
        store.write('docs/large.bin', Readable.from([Buffer.alloc(6 << 20), Buffer.alloc(6 << 20)])),
        store.read('docs/one.bin'),
        store.size('docs/one.bin'),
        store.remove('docs/one.bin'),
      ]
      for (const result of await Promise.allSettled(calls)) {
        if (result.status === 'fulfilled') throw new Error('the call was answered')
        expect(toAppError(result.reason)).toMatchObject({
          code: 'unavailable',
          detail: 'The file store cannot be used right now. Try again in a moment.',
        })
      }
      s3.fail(null)
      await store.write('docs/one.bin', Readable.from([bytes]))
      expect(await store.size('docs/one.bin')).toBe(bytes.length)
    },
  )
})

/** Checks that aborted uploads leave no bytes that are billed. */
function expectNoDrafts() {
  expect(s3.openUploads()).toBe(0)
  const drafts = join(root, '.drafts')
  expect(existsSync(drafts) ? readdirSync(drafts) : []).toEqual([])
}
