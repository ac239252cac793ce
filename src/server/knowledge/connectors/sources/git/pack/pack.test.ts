import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GitServer, startGitServer } from '#tests/git-server.ts'
import { openPack } from './pack.ts'
import { storePack } from './pack-file.ts'

const LIMIT = 300_000
const folder = mkdtempSync(join(tmpdir(), 'atrium-packs-'))
let git: GitServer
let names: Map<string, { type: string; size: number }>
beforeAll(async () => {
  git = await startGitServer()
  const lines = (seed: number) =>
    Array.from({ length: 400 }, (_, at) => `${at}: ${at % 50 === seed ? seed : ''}`)
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`d${at % 3}/f${at}`, lines(at).join('\n')]),
  )
  git.commit({ ...files, 'medium.bin': randomBytes(200_000), 'large.bin': randomBytes(400_000), empty: '' })
  const listed = git.git('cat-file', '--batch-all-objects', '--batch-check')
  names = new Map(
    listed.split('\n').map((line) => {
      const [oid = '', type = '', size = ''] = line.split(' ')
      return [oid, { type, size: Number(size) }]
    }),
  )
})
afterAll(() => git.close())

async function open(bytes: Buffer, maxBytes = LIMIT) {
  const cut = [bytes.subarray(0, 100), bytes.subarray(100, 119), bytes.subarray(119)]
  const file = await storePack(
    folder,
    (async function* () {
      yield* cut
    })(),
    10_000_000,
  )
  return openPack(file, maxBytes, new AbortController().signal)
}

/** Lets Git write all objects as a pack. */
function packed(...options: string[]): Buffer {
  const cwd = git.git('rev-parse', '--absolute-git-dir')
  const input = `${[...names.keys()].join('\n')}\n`
  const done = spawnSync(
    'git',
    ['pack-objects', '--stdout', '-q', '--window=50', '--no-reuse-delta', ...options],
    { cwd, input, maxBuffer: 2 ** 26 },
  )
  return done.stdout
}

describe('a pack of Git', () => {
  it.each([
    ['offset', '--delta-base-offset'],
    ['name', '--no-delta-base-offset'],
  ])('is read with all objects when changes name their base by %s', async (_, option) => {
    const bytes = packed(option)
    const pack = await open(bytes)
    let small = 0
    for (const [oid, { type, size }] of names) {
      expect(pack.sizeOf(oid)).toBe(size)
      const found = await pack.read(oid)
      if (size > LIMIT) {
        expect(found).toBeNull()
        continue
      }
      const hash = createHash('sha1')
        .update(`${type} ${size}\0`)
        .update(found?.bytes ?? '')
      expect([found?.type, hash.digest('hex')]).toEqual([type, oid])
      small += 1
    }
    expect(small).toBe(names.size - 1)
    // Without changes it would be much larger.
    expect(bytes.length).toBeLessThan(packed('--window=0').length - 20_000)
    await pack.close()
  })

  it('is in a file that has no name', async () => {
    const pack = await open(packed())
    expect([existsSync(folder), readdirSync(folder)]).toEqual([true, []])
    await pack.close()
  })
})

/** Writes a pack with entries that have a type, a claimed size, bytes before the content, and the content. */
function aPack(
  entries: { type: number; size: number; base?: Buffer; content: Buffer }[],
  count = entries.length,
): Buffer {
  const head = Buffer.alloc(12)
  head.write('PACK')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(count, 8)
  const parts = entries.flatMap(({ type, size, base, content }) => [
    headOf(type, size),
    ...(base ? [base] : []),
    deflateSync(content),
  ])
  const body = Buffer.concat([head, ...parts])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

function headOf(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 128
    bytes.push(rest & 127)
  }
  return Buffer.from(bytes)
}
const varint = (size: number) => headOf(0, size * 16).subarray(1)
const blob = (text: string) => ({ type: 3, size: text.length, content: Buffer.from(text) })

describe('a hostile pack', () => {
  it.each([
    ['inflates to more than it says', aPack([{ type: 3, size: 10, content: Buffer.alloc(50_000_000) }])],
    ['inflates to less than it says', aPack([{ type: 3, size: 10, content: Buffer.alloc(5) }])],
    [
      'skips an object that is larger than it says',
      aPack([{ type: 3, size: LIMIT + 1, content: Buffer.alloc(50_000_000) }]),
    ],
    ['ends early', aPack([blob('a')], 2)],
    ['has an unknown type', aPack([{ type: 5, size: 1, content: Buffer.from('a') }])],
    [
      'names a base before its beginning',
      aPack([{ type: 6, size: 4, base: Buffer.from([127]), content: Buffer.alloc(4) }]),
    ],
    ['is no pack', Buffer.concat([Buffer.alloc(12), createHash('sha1').update(Buffer.alloc(12)).digest()])],
    [
      'copies more than its base has',
      aPack([blob('abc'), changeOf(blob('abc'), Buffer.from([3, 9, 0x91, 0, 9]))]),
    ],
    ['makes less than it says', aPack([blob('abc'), changeOf(blob('abc'), Buffer.from([3, 9, 0x91, 0, 3]))])],
  ])('that %s is refused', async (_, bytes) => {
    await expect(open(bytes)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('does not compute an object that is larger than the limit', async () => {
    const delta = Buffer.concat([varint(3), varint(LIMIT + 1), Buffer.from([0x91, 0, 3])])
    const pack = await open(aPack([blob('abc'), changeOf(blob('abc'), delta)]))
    const oid = createHash('sha1').update('blob 3\0abc').digest('hex')
    expect((await pack.read(oid))?.bytes.toString()).toBe('abc')
    await pack.close()
  })

  it('with changes whose bases are missing or name each other ends', async () => {
    const missing = { type: 7, size: 4, base: Buffer.alloc(20, 1), content: Buffer.from([3, 1, 1, 65]) }
    const pack = await open(aPack([blob('abc'), missing, { ...missing, base: Buffer.alloc(20, 2) }]))
    expect(pack.sizeOf('01'.repeat(20))).toBeNull()
    await pack.close()
  })

  it('with too many objects is refused before they are read', async () => {
    await expect(open(aPack([blob('a')], 200_001))).rejects.toMatchObject({ code: 'not_available' })
  })

  it('is refused when its digest is wrong or it is too large', async () => {
    const bytes = aPack([blob('abc')])
    bytes[14] = (bytes[14] ?? 0) ^ 1
    await expect(open(bytes)).rejects.toThrow('arrived damaged')
    await expect(open(randomBytes(10_000_001))).rejects.toMatchObject({ code: 'too_large' })
  })
})

/** Stores bytes as a change of an object that begins directly before it. */
function changeOf(base: ReturnType<typeof blob>, delta: Buffer) {
  const before = headOf(base.type, base.size).length + deflateSync(base.content).length
  return { type: 6, size: delta.length, base: Buffer.from([before]), content: delta }
}
