import { createHash } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { canReach, type Operator } from './operator.ts'
import { PostgresError } from './postgres-error.ts'

/** Unix socket paths end at 107 bytes; PostgreSQL appends `/.s.PGSQL.5432`. */
const longest = 107 - '/.s.PGSQL.5432'.length

/**
 * A folder for the database's socket that only the operator may enter. In the data folder where the
 * path is short enough and reachable, else below /tmp.
 */
export function makeSocketFolder(dataDir: string, operator: Operator): string {
  const near = join(dataDir, 'run')
  const digest = createHash('sha256').update(`${dataDir}\0${operator.uid}`).digest('hex').slice(0, 16)
  const isNear = Buffer.byteLength(near) <= longest && canReach(operator, dataDir)
  // What root finds in its own data folder may be left from when the database was another user's.
  if (isNear) return own(near, operator, operator.isOther)
  return own(`/tmp/atrium-${digest}`, operator, false)
}

/** Leaves nothing in /tmp. What a killed start left there has the same name at the next one. */
export function removeSocketFolder(folder: string, dataDir: string): void {
  if (folder.startsWith(dataDir)) return
  try {
    rmdirSync(folder)
  } catch {
    // Something else stands in it.
  }
}

function own(folder: string, operator: Operator, isTrusted: boolean): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  const isOurs = isTrusted || found.uid === operator.uid || found.uid === process.getuid?.()
  // In /tmp anybody could have put a folder of this name there first.
  if (!found.isDirectory() || !isOurs) {
    throw new PostgresError(`${folder} belongs to somebody else: remove it, or set ATRIUM_DATA_DIR.`)
  }
  if (operator.isOther) chownSync(folder, operator.uid, operator.gid)
  chmodSync(folder, 0o700)
  return folder
}
