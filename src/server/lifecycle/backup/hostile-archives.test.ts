import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import type { TestAddress } from '#tests/database.ts'
import { databaseUrl } from '#tests/database-url.ts'
import { connect, listMigrations } from '../../platform/db/db.ts'
import { createLog } from '../../platform/log.ts'
import { restore } from './backup.ts'

vi.setConfig({ testTimeout: 60_000 })

type Item = { name: string; content?: string | Buffer; header?: object }

const folder = mkdtempSync(join(tmpdir(), 'atrium-hostile-'))
const log = createLog('silent')
const admin = connect({ ...inject('cluster'), database: 'postgres' }, log, { max: 1 })
let address: TestAddress
beforeAll(async () => {
  const database = `hostile_${randomBytes(6).toString('hex')}`
  await admin.pool.query(`create database ${database} template template0`)
  address = { ...inject('cluster'), database }
})
afterAll(async () => {
  await admin.pool.query(`drop database if exists ${address.database} with (force)`)
  await admin.close()
  rmSync(folder, { recursive: true, force: true })
})

const migrations = listMigrations()
const header = (more: object = {}) => ({
  name: 'atrium.json',
  content: JSON.stringify({ format: 1, atrium: '0.1.0', created_at: '2026-01-01', migrations, ...more }),
})
const rows = (table: string, columns: string[], list: string[]): Item => ({
  name: `database/${table}.0.json`,
  content: JSON.stringify({ columns, rows: list }),
})

/** Builds an archive of these entries with a valid end, so that only their content can be refused. */
async function anArchive(items: Iterable<Item>): Promise<string> {
  const path = join(folder, `${randomBytes(6).toString('hex')}.tar.gz`)
  const tar = pack()
  const written = pipeline(Readable.from(tar), createGzip({ level: 1 }), createWriteStream(path))
  const hash = createHash('sha256')
  let entries = 0
  const add = ({ name, content = '', header: more = {} }: Item) =>
    new Promise<void>((resolve, reject) => {
      const bytes = Buffer.from(content as string)
      tar.entry({ name, size: bytes.length, ...more }, bytes, (error) => (error ? reject(error) : resolve()))
    })
  for (const item of items) {
    entries += 1
    hash.update(`${item.name}\0${Buffer.from((item.content ?? '') as string).length}\0`)
    hash.update(item.content ?? '')
    await add(item)
  }
  await add({ name: 'end.json', content: JSON.stringify({ entries, sha256: hash.digest('hex') }) })
  tar.finalize()
  await written
  return path
}

/** Returns the restore error and checks that the target is unchanged. */
async function refusal(path: string, more: Record<string, string> = {}): Promise<string> {
  const dataDir = mkdtempSync(join(folder, 'data-'))
  const settings = { DATABASE_URL: databaseUrl(address), ATRIUM_DATA_DIR: dataDir, ...more }
  const said = await restore(settings, path).then(
    () => 'restored',
    (error) => `${error.constructor.name}: ${error.message}`,
  )
  const { pool, close } = connect(address, log, { max: 1 })
  const { rows: left } = await pool.query(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace
     union all select proname from pg_proc where pronamespace = 'public'::regnamespace and proname !~ 'trgm|similarity|limit|gtrgm|gin_|set_'`,
  )
  await close()
  expect({ said, left }).toEqual({ said, left: [] })
  expect([existsSync(join(dataDir, 'files')), existsSync(join(dataDir, 'secret.key'))]).toEqual([
    false,
    false,
  ])
  return said
}

const notWhole = /^BackupError: \S+ is no whole archive of Atrium \([^\n]+\): take another one\.$/

describe('a malicious archive', () => {
  it.each<[string, () => Iterable<Item>]>([
    ['a file outside of the store', () => [header(), { name: 'files/../../escape', content: 'x' }]],
    ['an absolute name', () => [header(), { name: '/etc/atrium', content: 'x' }]],
    ['a draft', () => [header(), { name: 'files/.drafts/x', content: 'x' }]],
    ['a table of the system', () => [header(), rows('pg_authid', ['oid'], [])]],
    [
      'a table that is not restored',
      () => [header(), rows('schema_migrations', ['name', 'applied_at'], ['(a,now)'])],
    ],
    ['an unknown table', () => [header(), rows('nothing', ['a'], ['(1)'])]],
    ['unknown columns', () => [header(), rows('users', ['a', 'b'], ['(1,2)'])]],
    [
      'rows that do not fit',
      () => [header(), rows('setup_steps', ['step', 'outcome', 'decided_at'], ['(a,b'])],
    ],
    [
      'rows of another form',
      () => [header(), { name: 'database/users.0.json', content: '{"columns":1,"rows":[]}' }],
    ],
    [
      'rows that nest 2,000,000 deep',
      () => [header(), { name: 'database/users.0.json', content: '['.repeat(2e6) }],
    ],
    [
      '2,000,000 values in an entry',
      () => [
        header(),
        { name: 'database/users.0.json', content: `{"columns":[],"rows":[${'"",'.repeat(2e6)}""]}` },
      ],
    ],
    ['a header that nests 2,000,000 deep', () => [{ name: 'atrium.json', content: '['.repeat(2e6) }]],
    ['a header that is no JSON', () => [{ name: 'atrium.json', content: '{' }]],
    ['a key of a megabyte', () => [header(), { name: 'secret.key', content: 'k'.repeat(1 << 20) }]],
    [
      'a link',
      () => [header(), { name: 'files/a', header: { type: 'symlink', linkname: '/etc/passwd', size: 0 } }],
    ],
    ['a device', () => [header(), { name: 'files/a', header: { type: 'block-device', size: 0 } }]],
    ['a folder', () => [header(), { name: 'files/a', header: { type: 'directory', size: 0 } }]],
    ['something of another program', () => [header(), { name: 'README.md', content: 'Hello' }]],
  ])('is refused in one line without changes: %s', async (_, items) => {
    expect(await refusal(await anArchive(items()))).toMatch(notWhole)
  })

  it.each<[string, object, RegExp]>([
    ['a newer format', { format: 2 }, /was made by a newer version of Atrium/],
    [
      'later migrations',
      { migrations: [...migrations, '9999_later.sql'] },
      /was made by a newer version of Atrium/,
    ],
  ])('is refused in one line and changes nothing: %s', async (_, more, sentence) => {
    expect(await refusal(await anArchive([header(more)]))).toMatch(sentence)
  })

  it('is refused with an oversized end or the checksum of another archive', async () => {
    const tar = pack()
    tar.entry(header(), header().content)
    tar.entry({ name: 'end.json' }, `{"entries":1,"sha256":"${'0'.repeat(10_000)}"}`)
    tar.finalize()
    const path = join(folder, 'end.tar.gz')
    writeFileSync(path, gzipSync(Buffer.concat(await Readable.from(tar).toArray())))
    expect(await refusal(path)).toMatch(notWhole)
  })

  it('is refused when it unpacks to more than the disk has free', async () => {
    const tar = pack()
    const chunks: Buffer[] = []
    tar.on('data', (chunk) => void chunks.push(chunk as Buffer))
    tar.entry(header(), header().content)
    // The declared size precedes content that never comes.
    tar.entry({ name: 'files/huge', size: 2 ** 50 })
    await expect.poll(() => Buffer.concat(chunks).includes('files/huge')).toBe(true)
    const path = join(folder, 'bomb.tar.gz')
    writeFileSync(path, gzipSync(Buffer.concat(chunks)))
    expect(await refusal(path)).toMatch(/^BackupError: \S+ unpacks to more than the data folder has room for/)
  })

  it('with very many entries is read in bounded memory', async () => {
    const path = await anArchive([
      header(),
      ...Array.from({ length: 100_000 }, (_, at) => ({ name: `files/${at}` })),
    ])
    const before = process.memoryUsage.rss()
    writeFileSync(path, readFileSync(path).subarray(0, -1_000))
    expect(await refusal(path)).toMatch(notWhole)
    expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(150)
  })
})

describe('a file that is not an archive', () => {
  const at = (name: string) => join(folder, name)
  it.each<[string, () => string, RegExp]>([
    ['nothing', () => at('missing.tar.gz'), /cannot be read: ENOENT/],
    ['a folder', () => folder, /is no file: name an archive/],
    ['an empty file', () => write('empty', ''), /is no (whole )?archive of Atrium/],
    ['a text', () => write('text', 'Hello'), notWhole],
    ['a plain tar', () => write('tar', Buffer.alloc(10_240)), notWhole],
    ['an archive of something else', () => write('zeros', gzipSync(Buffer.alloc(10_240))), notWhole],
    ['a device', () => '/dev/zero', /is no file: name an archive/],
    ['a pipe', () => pipe('pipe'), /is no file: name an archive/],
    ['a link to itself', () => loop('loop'), /cannot be read: ELOOP/],
    ['a name in a file', () => `${write('plain', 'x')}/a`, /cannot be read: ENOTDIR/],
  ])('is refused in one line: %s', async (_, path, sentence) => {
    const said = await refusal(path())
    expect(said).toMatch(/^BackupError: [^\n]+$/)
    expect(said).toMatch(sentence)
  })

  function write(name: string, content: string | Buffer): string {
    writeFileSync(at(name), content)
    return at(name)
  }
  function pipe(name: string): string {
    execFileSync('mkfifo', [at(name)])
    return at(name)
  }
  function loop(name: string): string {
    symlinkSync(at(name), at(name))
    return at(name)
  }
})
