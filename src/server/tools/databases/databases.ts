import { AppError } from '#shared/platform/errors.ts'
import * as contract from '#shared/tools/databases/databases.ts'
import { auditBy, changed, changesBetween } from '../../identity/audit/audit.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { driverOf, reachOf } from './reach.ts'
import {
  type DatabaseValues,
  deleteStored,
  findDatabase,
  findDatabases,
  hasTooMany,
  insertDatabase,
  MAX_DATABASES,
  type StoredDatabase,
  updateStored,
  writeTables,
} from './store.ts'

export { createDatabasePort, mayUseDatabase } from './database-port.ts'

/** Time for a connection test and for listing tables, in milliseconds. */
const TEST_MS = 30_000
/** Maximum tables offered to choose from. */
const MAX_OFFERED_TABLES = 1_000

type Deps = Pick<Platform, 'db' | 'config' | 'secrets' | 'clock' | 'grants'>

/** Serves the databases that questions are answered from, to super admins. */
export function serveDatabases(server: Server, deps: Deps): void {
  const { db, config } = deps
  serve(server, contract.listDatabases, {
    handle: async () => ({
      items: (await findDatabases(db)).map(show),
      sqlite_folder: config.ATRIUM_SQLITE_FOLDER ?? null,
    }),
  })
  serve(server, contract.testDatabase, {
    handle: async ({ body: { id, ...given } }) => {
      const stored = id === undefined ? undefined : await read(deps, id)
      return test(deps, given, passwordFor(deps, given, stored))
    },
  })
  serveChanges(server, deps)
  serve(server, contract.listDatabaseTables, {
    handle: async ({ params }) => {
      const stored = await read(deps, params.databaseId)
      const reach = await reachOf(deps, { ...stored, password: openPassword(deps, stored) })
      const driver = await driverOf(stored.kind)
      const items = await driver.listTables(reach, AbortSignal.timeout(TEST_MS))
      return { items: items.slice(0, MAX_OFFERED_TABLES), is_cut: items.length > MAX_OFFERED_TABLES }
    },
  })
}

function serveChanges(server: Server, deps: Deps): void {
  const { db } = deps
  serve(server, contract.createDatabase, {
    handle: async ({ user, request, body }) => {
      await assertReadOnly(deps, body, body.password)
      return db.transaction().execute(async (trx) => {
        const row = await insertDatabase(trx, valuesOf(deps, body, body.password))
        if (!row) throw nameTaken()
        if (await hasTooMany(trx))
          throw new AppError('conflict', `An installation has at most ${MAX_DATABASES} databases.`)
        const changes = changed('host', null, body.host || body.database)
        await auditBy(deps, { user, request })(trx, { did: 'database.connected', subject: row.name, changes })
        return show(row)
      })
    },
  })
  serve(server, contract.updateDatabase, {
    handle: async ({ user, request, body, params: { databaseId: id } }) => {
      const stored = await read(deps, id)
      const password = passwordFor(deps, body, stored)
      await assertReadOnly(deps, body, password)
      return db.transaction().execute(async (trx) => {
        const row = await updateStored(trx, id, valuesOf(deps, body, password))
        if (!row) throw nameTaken()
        const changes = changesBetween(facts(stored), facts(row))
        await auditBy(deps, { user, request })(trx, { did: 'database.changed', subject: row.name, changes })
        return show(row)
      })
    },
  })
  serve(server, contract.deleteDatabase, {
    handle: async ({ user, request, params: { databaseId: id } }) =>
      db.transaction().execute(async (trx) => {
        const name = await deleteStored(trx, id)
        if (name === null) throw missing()
        await auditBy(deps, { user, request })(trx, { did: 'database.removed', subject: name })
        return { message: 'The database was removed.' }
      }),
  })
  serve(server, contract.setDatabaseTables, {
    handle: async ({ user, request, body: { tables }, params: { databaseId: id } }) =>
      db.transaction().execute(async (trx) => {
        const before = await findDatabase(trx, id)
        const row = before && (await writeTables(trx, id, tables))
        if (!row) throw missing()
        const changes = changed('tables', namesOf(before), namesOf(row))
        await auditBy(deps, { user, request })(trx, {
          did: 'database.tables_chosen',
          subject: row.name,
          changes,
        })
        return show(row)
      }),
  })
}

const missing = () => new AppError('not_found', 'Database not found')
const nameTaken = () => new AppError('conflict', 'Another database has this name.')

async function read({ db }: Deps, id: string): Promise<StoredDatabase> {
  const row = await findDatabase(db, id)
  if (!row) throw missing()
  return row
}

const openPassword = ({ secrets }: Deps, { password_sealed }: StoredDatabase) =>
  password_sealed === null ? '' : secrets.open(password_sealed)

type Given = Omit<contract.DatabaseChanges, 'password'> & { password?: string | undefined }

/** The stored password goes only to the server and role it was entered for. @throws AppError `invalid` */
function passwordFor(deps: Deps, given: Given, stored: StoredDatabase | undefined): string {
  if (given.password !== undefined) return given.password
  if (!stored) return ''
  const isSame = (['kind', 'host', 'port', 'role'] as const).every((key) => given[key] === stored[key])
  if (!isSame && stored.password_sealed !== null)
    throw new AppError('invalid', 'Enter the password again: the server or the role has changed.')
  return openPassword(deps, stored)
}

async function test(deps: Deps, given: Given, password: string): Promise<contract.DatabaseTest> {
  const reach = await reachOf(deps, { ...given, password })
  const driver = await driverOf(given.kind)
  return driver.inspect(reach, AbortSignal.timeout(TEST_MS))
}

/** @throws AppError `invalid` for a role that may do more than read */
async function assertReadOnly(deps: Deps, given: Given, password: string): Promise<void> {
  const { is_read_only, privileges } = await test(deps, given, password)
  if (is_read_only) return
  const named = privileges.slice(0, 8).join('; ')
  const more = privileges.length > 8 ? ` and ${privileges.length - 8} more` : ''
  throw new AppError(
    'invalid',
    `This role may do more than read: ${named}${more}. Use a role that only reads.`,
  )
}

function valuesOf({ secrets }: Deps, given: Given, password: string): DatabaseValues {
  const { name, kind, host, port, database, role, tls, limit_seconds, limit_rows } = given
  const password_sealed = password === '' ? null : secrets.seal(password)
  return { name, kind, host, port, database, role, tls, limit_seconds, limit_rows, password_sealed }
}

/** Facts that the audit log compares. */
function facts({ name, kind, host, port, database, role, tls, limit_seconds, limit_rows }: StoredDatabase) {
  const limits = `${limit_seconds} s, ${limit_rows} rows`
  return { name, kind, host: port === null ? host : `${host}:${port}`, database, role, tls, limits }
}

const namesOf = ({ tables }: StoredDatabase) =>
  tables
    .map(({ schema, name, columns }) => `${schema}.${name} (${columns.length})`)
    .join(', ')
    .slice(0, 2_000)

function show({ password_sealed, created_at, ...row }: StoredDatabase): contract.Database {
  return { ...row, has_password: password_sealed !== null, created_at: created_at.toISOString() }
}
