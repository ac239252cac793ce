import { existsSync, realpathSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { AppError } from '#shared/platform/errors.ts'
import { type DatabaseKind, DEFAULT_PORTS } from '#shared/tools/databases/databases.ts'
import { resolveHost } from '../../platform/outbound/outbound.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Driver, Reach } from './drivers/driver.ts'
import type { StoredDatabase } from './store.ts'

type Connection = Omit<StoredDatabase, 'id' | 'name' | 'tables' | 'created_at' | 'password_sealed'> & {
  password: string
}

/** Returns how to connect, after the host has been checked and resolved. @throws AppError `invalid`, `unavailable` */
export async function reachOf({ config }: Pick<Platform, 'config'>, connection: Connection): Promise<Reach> {
  const { kind, host, database, ...rest } = connection
  if (kind === 'sqlite') {
    const path = findFile(config.ATRIUM_SQLITE_FOLDER, database)
    return { ...rest, kind, host: '', server_name: '', port: 0, database: path }
  }
  if (host === '' || rest.role === '') throw new AppError('invalid', 'Name the host and the role.')
  const port = rest.port ?? DEFAULT_PORTS[kind] ?? 0
  const named = host.toLowerCase()
  const isTrusted = [named, `${named}:${port}`].some((one) => config.ATRIUM_DATABASE_HOSTS.includes(one))
  const address = await resolveHost(host, isTrusted)
  return { ...rest, kind, host: address, server_name: host, port, database }
}

/** Returns the path of a file in the allowed folder, with links followed. */
function findFile(folder: string | undefined, name: string): string {
  if (folder === undefined)
    throw new AppError(
      'invalid',
      'SQLite files can be used when the setting ATRIUM_SQLITE_FOLDER names their folder.',
    )
  const path = resolve(folder, name)
  const missing = new AppError('invalid', `There is no file “${name}” in the folder for SQLite files.`)
  if (!existsSync(folder) || !existsSync(path)) throw missing
  const way = relative(realpathSync(folder), realpathSync(path))
  if (way === '' || way.startsWith('..') || isAbsolute(way)) throw missing
  return realpathSync(path)
}

/** Loads the driver of a kind when it is first needed. */
export async function driverOf(kind: DatabaseKind): Promise<Driver> {
  switch (kind) {
    case 'postgres':
      return (await import('./drivers/postgres-driver.ts')).postgresDriver
    case 'mysql':
      return (await import('./drivers/mysql-driver.ts')).mysqlDriver
    case 'sqlite':
      return (await import('./drivers/sqlite-driver.ts')).sqliteDriver
    default:
      return kind satisfies never
  }
}
