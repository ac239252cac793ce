import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { type Config, parseConfig } from '../../platform/config/config.ts'
import { isDiskFull, migrate } from '../../platform/db/db.ts'
import { createFiles, type FileStore } from '../../platform/files/files.ts'
import { hasLivingInstance } from '../../platform/instances.ts'
import { keepSecretKey, readKeyFile, writeKey } from '../../platform/secrets.ts'
import { BackupError } from './backup-error.ts'
import { checkArchive } from './check-archive.ts'
import { type Header, keyName, MAX_KEY_BYTES, MAX_ROWS_BYTES, readName, readRows } from './contents.ts'
import { takeDatabase } from './database.ts'
import { damaged, drain, type Entry, readAll, readArchive } from './read-archive.ts'
import { addRows, forgetFirstStart, hasRows, listApplied, listTables, withoutReferences } from './tables.ts'
import { markRestore, undoRestore, unmarkRestore } from './unfinished.ts'

type Restored = { rows: number; files: number; from: string; at: string }

/**
 * Restores an archive into an empty installation. Everything is read and checked before any change. A later failure or abort leaves the
 * installation unchanged. A killed restore can be run again.
 * @throws BackupError, ConfigError, MigrationError, PostgresError, SecretError; the reason of `signal`
 */
export async function restore(
  environment: NodeJS.ProcessEnv,
  path: string,
  signal?: AbortSignal,
): Promise<Restored> {
  const config = parseConfig(environment)
  const header = await checkArchive(path, config, signal)
  const files = createFiles(config)
  const database = await takeDatabase(config)
  const { client } = database
  let isDone = false
  try {
    await holdRestore(client)
    await undoRestore(client, files)
    await refuseFiles(files)
    await refuseContent(client, header)
    await markRestore(client, { isNew: (await listApplied(client)).length === 0 })
    const counts = await fill(path, header, { config, files, ...database, signal }).catch(async (error) => {
      await client.query('rollback').catch(() => undefined)
      // If the cleanup fails now, as on a full disk, the next attempt does it.
      await undoRestore(client, files).catch(() => undefined)
      throw explain(error, config)
    })
    isDone = true
    return { ...counts, from: header.atrium, at: header.created_at }
  } finally {
    await database.giveBack()
    if (!isDone && database.isNew)
      await rm(join(config.dataDir, 'postgres'), { recursive: true, force: true })
  }
}

type Target = {
  config: Config
  files: FileStore
  client: pg.PoolClient
  pool: pg.Pool
  signal: AbortSignal | undefined
}

async function fill(path: string, header: Header, target: Target): Promise<{ rows: number; files: number }> {
  await migrate(target.pool, header.migrations)
  target.signal?.throwIfAborted()
  return load(path, target)
}

/** Locks the database against concurrent restores. The lock ends with the connection. */
async function holdRestore(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ is_mine: boolean }>(
    "select pg_try_advisory_lock(hashtext('atrium_restore')) as is_mine",
  )
  if (!rows[0]?.is_mine)
    throw new BackupError('Another restore into this installation is under way: wait for it.')
}

async function refuseFiles(files: FileStore): Promise<void> {
  for await (const key of files.list())
    throw new BackupError(`The file store is not empty (${key}): restore into an empty installation.`)
}

async function refuseContent(client: pg.ClientBase, { migrations }: Header): Promise<void> {
  const applied = await listApplied(client)
  if (applied.length === 0) {
    if ((await listTables(client)).length === 0) return
    throw new BackupError('The database holds tables of something else: restore into an empty installation.')
  }
  await refuseUse(client)
  if (applied.join() !== migrations.join())
    throw new BackupError(
      'The archive is of another version than the tables of this database: restore into an installation that was never started.',
    )
}

async function refuseUse(client: pg.ClientBase): Promise<void> {
  if (await hasLivingInstance(client))
    throw new BackupError('A server of this installation is running: stop it first.')
  if (await hasRows(client))
    throw new BackupError('The installation is not empty: restore into one that holds nothing.')
}

/** Loads everything in one transaction. Files and key are not transactional and are removed on failure. */
async function load(path: string, target: Target) {
  const { client, config } = target
  const counts = { rows: 0, files: 0 }
  let key: string | null = null
  await client.query('begin')
  await withoutReferences(client, async () => {
    // The tables are locked now, so a server started meanwhile is detected.
    await refuseUse(client)
    await forgetFirstStart(client)
    const tables = new Set(await listTables(client))
    for await (const entry of readArchive(path)) {
      target.signal?.throwIfAborted()
      if (entry.name === keyName) key = (await readAll(entry.content, MAX_KEY_BYTES)).toString()
      else await loadEntry(path, entry, { ...target, tables }, counts)
    }
  })
  await client.query('analyze')
  await unmarkRestore(client)
  const earlier = readKeyFile(config)
  if (key !== null) keepSecretKey(config, key)
  await client.query('commit').catch((error) => {
    writeKey(config, earlier)
    throw error
  })
  return counts
}

async function loadEntry(
  path: string,
  { name, content }: Entry,
  { client, files, tables }: Target & { tables: ReadonlySet<string> },
  counts: { rows: number; files: number },
): Promise<void> {
  const place = readName(name)
  if (place === null) return drain(content)
  if ('file' in place) {
    await files.write(place.file, Readable.from(content))
    counts.files += 1
    return
  }
  if (!tables.has(place.table)) throw damaged(path, new Error(`it has no table ${place.table}`))
  try {
    const part = readRows(await readAll(content, MAX_ROWS_BYTES))
    await addRows(client, place.table, part)
    counts.rows += part.rows.length
  } catch (error) {
    throw isOfArchive(error) ? damaged(path, error) : error
  }
}

/** Returns whether an error means that rows do not fit their table, as in a hand-made archive. */
function isOfArchive(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === undefined || /^(21|22|23|42)/.test(code)
}

function explain(error: unknown, { dataDir }: Config): unknown {
  if (!isDiskFull(error)) return error
  return new BackupError(`There is no room left to restore in ${dataDir}: free some space and try again.`, {
    cause: error,
  })
}
