import { Readable } from 'node:stream'
import type pg from 'pg'
import { type Config, parseConfig } from '../config.ts'
import { listMigrations, migrate } from '../db/db.ts'
import { createFiles, type FileStore } from '../files/files.ts'
import { hasLivingInstance } from '../instances.ts'
import { keepSecretKey } from '../secrets.ts'
import { readAll, readArchive } from './archive.ts'
import { BackupError } from './backup-error.ts'
import { Header, headerName, keyName, RowsEntry, readName } from './contents.ts'
import { type Borrowed, takeDatabase } from './database.ts'
import { addRows, hasRows, listApplied, listTables, withoutReferences } from './tables.ts'

type Restored = { rows: number; files: number; from: string; at: string }

/**
 * Puts an archive into the empty installation of these settings. The whole archive is read and checked before anything is
 * changed; what fails later leaves the installation empty.
 * @throws BackupError, ConfigError, PostgresError, SecretError
 */
export async function restore(environment: NodeJS.ProcessEnv, path: string): Promise<Restored> {
  const config = parseConfig(environment)
  const header = await checkArchive(path)
  const files = createFiles(config)
  await refuseFiles(files)
  const database = await takeDatabase(config)
  try {
    await refuseContent(database, header)
    await migrate(database.pool, header.migrations)
    const counts = await load(path, database.client, files, config)
    return { ...counts, from: header.atrium, at: header.created_at }
  } finally {
    await database.giveBack()
  }
}

/** Reads all of it once. */
async function checkArchive(path: string): Promise<Header> {
  let header: Header | null = null
  for await (const { name, content } of readArchive(path)) {
    if (header === null) {
      if (name !== headerName) throw new BackupError(`${path} is no archive of Atrium: take another one.`)
      header = readHeader(await readAll(content), path)
    } else await drain(content)
  }
  if (header === null) throw new BackupError(`${path} is no archive of Atrium: take another one.`)
  return header
}

function readHeader(bytes: Buffer, path: string): Header {
  const found = Header.safeParse(JSON.parse(bytes.toString()))
  const known = new Set(listMigrations())
  if (found.success && found.data.migrations.every((name) => known.has(name))) return found.data
  throw new BackupError(`${path} was made by a newer version of Atrium: restore it with that version.`)
}

async function refuseFiles(files: FileStore): Promise<void> {
  for await (const key of files.list())
    throw new BackupError(`The file store is not empty (${key}): restore into an empty installation.`)
}

async function refuseContent({ client }: Borrowed, { migrations }: Header): Promise<void> {
  const applied = await listApplied(client)
  if (applied.length === 0) {
    if ((await listTables(client)).length === 0) return
    throw new BackupError('The database holds tables of something else: restore into an empty installation.')
  }
  if (await hasLivingInstance(client))
    throw new BackupError('A server of this installation is running: stop it first.')
  if (await hasRows(client))
    throw new BackupError('The installation is not empty: restore into one that holds nothing.')
  if (applied.join() !== migrations.join())
    throw new BackupError(
      'The archive is of another version than the tables of this database: restore into an installation that was never started.',
    )
}

/** Everything in one transaction; the files, which know none, are removed again when it fails. */
async function load(path: string, client: pg.ClientBase, files: FileStore, config: Config) {
  const counts = { rows: 0, files: 0 }
  let key: string | null = null
  await client.query('begin')
  try {
    await withoutReferences(client, async () => {
      for await (const { name, content } of readArchive(path)) {
        const place = readName(name)
        if (name === keyName) key = (await readAll(content)).toString()
        else if (place === null) await drain(content)
        else if ('file' in place) {
          await files.write(place.file, Readable.from(content))
          counts.files += 1
        } else {
          const part = RowsEntry.parse(JSON.parse((await readAll(content)).toString()))
          await addRows(client, place.table, part)
          counts.rows += part.rows.length
        }
      }
    })
    if (key !== null) keepSecretKey(config, key)
    await client.query('commit')
  } catch (error) {
    for await (const left of files.list()) await files.remove(left)
    throw error
  }
  await client.query('analyze')
  return counts
}

async function drain(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of content);
}
