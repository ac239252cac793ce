import type pg from 'pg'
import { AppError } from '#shared/platform/errors.ts'
import { type Config, parseConfig } from '../../platform/config/config.ts'
import { isUnreachable, refuseHalfRestored } from '../../platform/db/db.ts'
import { createFiles, type FileStore } from '../../platform/files/files.ts'
import { readVersion } from '../../platform/process/version.ts'
import { readSecretKey } from '../../platform/secrets.ts'
import { BackupError } from './backup-error.ts'
import { type Header, headerName, keyName, tableEntry } from './contents.ts'
import { borrowDatabase } from './database.ts'
import { refuseTarget } from './draft.ts'
import { listApplied, listTables, plainForm, readTable } from './tables.ts'
import { type ArchiveWriter, writeArchive } from './write-archive.ts'

export type Kept = {
  tables: number
  rows: number
  files: number
  migrations: number
  /** False when the database did not accept the record that the overview reads. */
  isRecorded: boolean
}

export type BackupOptions = { replaces?: boolean; signal?: AbortSignal }

/** Attempts. A server or another backup that owned the embedded database may end meanwhile. */
const MAX_TRIES = 3

/**
 * Writes the installation into one archive, whether its server runs or not: a snapshot of the database, the files it references,
 * and the encryption key. Replaces an existing archive only with `replaces`.
 * @throws BackupError, ConfigError, MigrationError, PostgresError, SecretError; the reason of `signal`
 */
export async function backUp(
  environment: NodeJS.ProcessEnv,
  path: string,
  options: BackupOptions = {},
): Promise<Kept> {
  const config = parseConfig(environment)
  await refuseTarget(path, { replaces: options.replaces ?? false })
  for (let tries = 1; ; tries += 1) {
    try {
      return await backUpOnce(config, path, options)
    } catch (error) {
      if (config.DATABASE_URL || tries === MAX_TRIES || !isUnreachable(error)) throw error
    }
  }
}

async function backUpOnce(config: Config, path: string, options: BackupOptions): Promise<Kept> {
  const database = await borrowDatabase(config)
  try {
    await refuseHalfRestored(database.pool)
    const kept: Kept = { tables: 0, rows: 0, files: 0, migrations: 0, isRecorded: false }
    const fill = async (archive: ArchiveWriter) => {
      await addDatabase(archive, database.client, readSecretKey(config), kept)
      // Files are written before the rows that reference them, so all of them exist now.
      await addFiles(archive, createFiles(config), kept)
    }
    await writeArchive(path, fill, options)
    kept.isRecorded = await recordBackup(database.pool, kept)
    return kept
  } finally {
    await database.giveBack()
  }
}

async function addDatabase(archive: ArchiveWriter, client: pg.ClientBase, key: string | null, kept: Kept) {
  await client.query('begin isolation level repeatable read read only')
  await client.query(plainForm)
  const migrations = await listApplied(client)
  if (migrations.length === 0)
    throw new BackupError('There is nothing to back up: Atrium was never started with these settings.')
  kept.migrations = migrations.length
  const header: Header = {
    format: 1,
    atrium: readVersion(),
    created_at: new Date().toISOString(),
    migrations,
  }
  await addText(archive, headerName, JSON.stringify(header))
  if (key !== null) await addText(archive, keyName, key)
  for (const table of await listTables(client)) {
    let part = 0
    for await (const rows of readTable(client, table)) {
      await addText(archive, tableEntry(table, part), JSON.stringify(rows))
      part += 1
      kept.rows += rows.rows.length
    }
    kept.tables += 1
  }
  await client.query('commit')
}

async function addFiles(archive: ArchiveWriter, files: FileStore, kept: Kept) {
  for await (const key of files.list()) {
    const size = await files.size(key)
    // Deleted since it was listed, as unreferenced uploads are.
    const content = size === null ? null : await files.read(key).catch(nullWhenGone)
    if (size === null || content === null) continue
    await archive.add(`files/${key}`, size, content)
    kept.files += 1
  }
}

function nullWhenGone(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null
  throw error
}

async function addText(archive: ArchiveWriter, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  await archive.add(name, bytes.length, [bytes])
}

/** Records the finished backup for the overview. Returns false when the database refuses, as with a role that may only read. */
async function recordBackup(pool: pg.Pool, { rows, files }: Kept): Promise<boolean> {
  const insert = 'insert into backups (finished_at, rows, files) values (now(), $1, $2)'
  return pool.query(insert, [rows, files]).then(
    () => true,
    () => false,
  )
}
