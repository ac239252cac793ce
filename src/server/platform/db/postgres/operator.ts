import { existsSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { PostgresError } from './postgres-error.ts'

/**
 * The system user that runs the database. PostgreSQL refuses to run as root, so root runs it as another user (`isOther`);
 * other users run it themselves.
 */
export type Operator = { uid: number; gid: number; isOther: boolean; clientName: string }

/**
 * Returns the owner of the cluster, or its future owner.
 * @throws PostgresError if root finds no user to run the database, or another user owns the cluster
 */
export function findOperator(cluster: string): Operator {
  const me = currentUser()
  const owner = statSync(cluster, { throwIfNoEntry: false })
  if (me.uid !== 0) {
    if (!owner || owner.uid === me.uid) return { ...me, isOther: false }
    throw new PostgresError(
      `The database in ${cluster} belongs to another user (uid ${owner.uid}): start Atrium as root or as that user, or change the owner with chown -R.`,
    )
  }
  if (owner && owner.uid !== 0) {
    return { uid: owner.uid, gid: owner.gid, isOther: true, clientName: me.clientName }
  }
  const users = readUsers()
  const other = users.get('postgres') ?? users.get('nobody')
  if (!other) {
    throw new PostgresError(
      'PostgreSQL does not run as root, and there is no user "postgres" or "nobody": add one, start as an ordinary user, or set DATABASE_URL.',
    )
  }
  return { ...other, isOther: true, clientName: me.clientName }
}

/** Returns the spawn options that run a process as the operator. */
export function asOperator({ isOther, uid, gid }: Operator) {
  return isOther ? { uid, gid } : {}
}

/** Returns a command prefix. On Linux the kernel then sends `signal` to the program when its parent dies. */
export function guard(signal: 'INT' | 'KILL'): string[] {
  if (process.platform !== 'linux') return []
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path))
  return setpriv ? [setpriv, '--pdeathsig', signal, '--'] : []
}

/** Returns whether the operator can traverse every folder above `path` and enter `path` itself. */
export function canReach(operator: Operator, path: string): boolean {
  if (!operator.isOther) return true
  for (let folder = path; ; folder = dirname(folder)) {
    if (!canEnter(operator, folder)) return false
    if (folder === dirname(folder)) return true
  }
}

function canEnter({ uid, gid }: Operator, folder: string): boolean {
  const { mode, uid: owner, gid: group } = statSync(folder)
  const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
  return (mode & bit) !== 0
}

function currentUser() {
  try {
    const { uid, gid, username } = userInfo()
    return { uid, gid, clientName: username }
  } catch {
    throw new PostgresError(
      `The system has no user with uid ${process.getuid?.()}: add it to /etc/passwd, or set DATABASE_URL.`,
    )
  }
}

function readUsers(): Map<string, { uid: number; gid: number }> {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const users = lines.map((line) => line.split(':')).filter((fields) => fields.length > 3)
  return new Map(users.map(([name, , uid, gid]) => [name ?? '', { uid: Number(uid), gid: Number(gid) }]))
}
