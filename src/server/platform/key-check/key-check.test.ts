import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cloneDatabase } from '#tests/database.ts'
import { type Connection, connect } from '../db/db.ts'
import { createLog } from '../log.ts'
import { SecretError, secretsOf } from '../secrets.ts'
import { acceptKey, openSecrets } from './key-check.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-key-'))
const A = 'the first key of this house'
const B = 'another key of this house'
let database: Awaited<ReturnType<typeof cloneDatabase>>
let connection: Connection
beforeAll(async () => {
  database = await cloneDatabase()
  connection = connect(database.address, createLog('silent'), { max: 4 })
})
afterAll(async () => {
  await connection.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  hasOthers = false
  await connection.db.deleteFrom('key_checks').execute()
  await connection.db.deleteFrom('model_connections').execute()
})

const aFolder = () => mkdtempSync(join(folder, 'data-'))
let hasOthers = false
const instance = { hasOthers: async () => hasOthers }
const open = (ATRIUM_SECRET_KEY: string | undefined, dataDir = aFolder()) =>
  openSecrets({ ATRIUM_SECRET_KEY, dataDir }, connection.db, instance)

/** Stores a provider whose key was sealed before the check existed. */
const sealedEarlier = (key: string, name = 'Lab') =>
  connection.db
    .insertInto('model_connections')
    .values({
      provider: name.toLowerCase(),
      name,
      kind: 'compatible',
      api_key_sealed: secretsOf(key).seal('sk-1'),
    })
    .execute()

describe('installation key', () => {
  it('is created at the first start and required at each later one', async () => {
    const dataDir = aFolder()
    const sealed = (await open(undefined, dataDir)).seal('mine')
    expect((await open(undefined, dataDir)).open(sealed)).toBe('mine')
    const key = readFileSync(join(dataDir, 'secret.key'), 'utf8')
    expect((await open(key)).open(sealed)).toBe('mine')
  })

  it('is not replaced by a new one if it is missing', async () => {
    const dataDir = aFolder()
    await open(undefined, dataDir)
    await sealedEarlier(readFileSync(join(dataDir, 'secret.key'), 'utf8'))
    rmSync(join(dataDir, 'secret.key'))
    await expect(open(undefined, dataDir)).rejects.toThrow(
      /^The key of this installation is missing: put secret\.key back into \S+, or set ATRIUM_SECRET_KEY to it\. [^\n]+npm run new-key[^\n]+$/,
    )
    expect(() => readFileSync(join(dataDir, 'secret.key'))).toThrow('ENOENT')
  })

  it.each<[string, (dataDir: string) => string | undefined]>([
    ['in the environment', () => B],
    [
      'in its file',
      (dataDir) => {
        writeFileSync(join(dataDir, 'secret.key'), B)
        return undefined
      },
    ],
    [
      'cut short',
      (dataDir) => {
        writeFileSync(join(dataDir, 'secret.key'), A.slice(0, 20))
        return undefined
      },
    ],
  ])('that is another one stops the start while secrets are stored: %s', async (_, change) => {
    await open(A)
    await sealedEarlier(A)
    const dataDir = aFolder()
    await expect(open(change(dataDir), dataDir)).rejects.toThrow(
      /^\S+ is not the key that this installation sealed its secrets with: put that key back\. [^\n]+$/,
    )
  })

  it('may differ while no secret is stored, unless another process is alive', async () => {
    await open(A)
    hasOthers = true
    await expect(open(B)).rejects.toThrow(/is not the key/)
    await expect(open(undefined)).rejects.toThrow(/is missing/)
    hasOthers = false
    await open(B)
    hasOthers = true
    await expect(open(A)).rejects.toThrow(/is not the key/)
    await open(B)
  })

  it('must be the same for a second process that starts simultaneously', async () => {
    hasOthers = true
    const started = await Promise.allSettled([open(A), open(B), open(A), open(B)])
    const refused = started.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused).toHaveLength(2)
    for (const error of refused) expect(error).toBeInstanceOf(SecretError)
  })

  it('of an older installation opens earlier secrets', async () => {
    await sealedEarlier(A)
    await expect(open(undefined)).rejects.toThrow(/is missing/)
    await expect(open(B)).rejects.toThrow(/is not the key/)
    await open(A)
    // The key is known from now on, so a later secret sealed with another key proves nothing.
    await sealedEarlier(B, 'Other')
    await expect(open(B)).rejects.toThrow(/is not the key/)
  })

  it('of an older installation may have changed once: one secret that opens is enough', async () => {
    await sealedEarlier(B, 'Old')
    await sealedEarlier(A, 'New')
    await open(A)
  })

  it('that is lost for good can be given up on request', async () => {
    await sealedEarlier(A)
    await open(A)
    const config = { ATRIUM_SECRET_KEY: undefined, dataDir: aFolder() }
    expect(await acceptKey(config, connection.db)).toEqual({ shut: 1 })
    await openSecrets(config, connection.db, instance)
    await expect(open(A)).rejects.toThrow(/is not the key/)
  })

  it('sealed every secret that is sampled', async () => {
    const { rows } = await connection.pool.query<{ place: string }>(
      `select relname || '.' || attname as place from pg_attribute a join pg_class c on c.oid = a.attrelid
       where relnamespace = 'public'::regnamespace and relkind = 'r' and attname ~ 'sealed|^secret$|refresh_token'`,
    )
    const { places } = await import('./store.ts')
    const known = new Set<string>([...places, 'key_checks.sealed', 'push_keys.private_sealed'])
    expect(rows.map(({ place }) => place).filter((place) => !known.has(place))).toEqual([])
  })
})

describe('stops the start with a one-line error if its file is unusable', () => {
  it.each<[string, (path: string) => void, RegExp]>([
    ['empty', (path) => writeFileSync(path, '\n'), /is empty: put back/],
    ['too short', (path) => writeFileSync(path, 'short'), /is too short: put back/],
    ['a folder', (path) => void mkdirSync(path), /is no key: put back/],
    ['too large', (path) => writeFileSync(path, 'k'.repeat(10_000)), /is no key: put back/],
  ])('%s', async (_, make, sentence) => {
    const dataDir = aFolder()
    make(join(dataDir, 'secret.key'))
    await expect(open(undefined, dataDir)).rejects.toThrow(SecretError)
    await expect(open(undefined, dataDir)).rejects.toThrow(sentence)
  })

  it.runIf(process.getuid?.() !== 0)('unreadable', async () => {
    const dataDir = aFolder()
    writeFileSync(join(dataDir, 'secret.key'), A)
    chmodSync(join(dataDir, 'secret.key'), 0)
    await expect(open(undefined, dataDir)).rejects.toThrow(/cannot be read \(EACCES/)
  })
})
