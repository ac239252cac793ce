import { createHash } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { canReach, type Operator } from './operator.ts'
import { PostgresError } from './postgres-error.ts'

/** Unix socket paths are limited to 107 bytes; PostgreSQL appends `/.s.PGSQL.5432`. */
const longest = 107 - '/.s.PGSQL.5432'.length

/**
 * Creates a folder for the database socket that only the operator may enter. It is in the data folder if the path is short
 * enough and reachable, otherwise below /tmp.
 */
export function makeSocketFolder(dataDir: string, operator: Operator): string {
  const near = join(dataDir, 'run')
  const digest = createHash('sha256').update(`${dataDir}\0${operator.uid}`).digest('hex').slice(0, 16)
  const isNear = Buffer.byteLength(near) <= longest && canReach(operator, dataDir)
  // Root may find a folder here from a time when another user ran the database.
  if (isNear) return own(near, operator, operator.isOther)
  return own(`/tmp/atrium-${digest}`, operator, false)
}

/** Removes the folder from /tmp. After a killed start, the next one uses the same name. */
export function removeSocketFolder(folder: string, dataDir: string): void {
  if (folder.startsWith(dataDir)) return
  try {
    rmdirSync(folder)
  } catch {
    // The folder contains something else.
  }
}

function own(folder: string, operator: Operator, isTrusted: boolean): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  const isOurs = isTrusted || found.uid === operator.uid || found.uid === process.getuid?.()
  // In /tmp, another user could have created a folder of this name first.
  if (!found.isDirectory() || !isOurs) {
    throw new PostgresError(`${folder} belongs to another user: remove it, or set ATRIUM_DATA_DIR.`)
  }
  if (operator.isOther) chownSync(folder, operator.uid, operator.gid)
  chmodSync(folder, 0o700)
  return folder
}
