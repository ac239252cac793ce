import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { checkout } from '../process/checkout.ts'
import { isDiskFull, isUnreachable } from './trouble.ts'

const folder = new URL('migrations/', checkout)

/** First of the two numbers of an advisory lock; 7 belongs to the instances. */
const lockClass = 8
const oldestServer = 150_000

export class MigrationError extends Error {}

/**
 * Migrates the schema to the current state or to an earlier one. Several servers may start simultaneously. Each file of
 * `migrations/` runs once, in one transaction.
 * @throws MigrationError if a migration fails, or the version of the database or its server is not supported
 */
export async function migrate(pool: pg.Pool, wanted = listMigrations()): Promise<string[]> {
  await refuseOld(pool)
  const applied = await readApplied(pool)
  refuseNewer(applied, wanted)
  if (wanted.every((name) => applied.has(name))) return []
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1, 1)', [lockClass])
    return await applyMissing(client, wanted)
  } finally {
    await client.query('reset synchronous_commit').catch(() => undefined)
    await client.query('select pg_advisory_unlock($1, 1)', [lockClass]).catch(() => undefined)
    client.release()
  }
}

async function refuseOld(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ version: string; number: number }>(
    "select current_setting('server_version') as version, current_setting('server_version_num')::int as number",
  )
  const [server] = rows
  if (server && server.number >= oldestServer) return
  throw new MigrationError(
    `DATABASE_URL is a PostgreSQL ${server?.version}: Atrium needs version 15 or newer.`,
  )
}

/** @throws MigrationError if an earlier restore into this database did not finish */
export async function refuseHalfRestored(pool: Queryable): Promise<void> {
  const { rows } = await pool.query<{ is_half: boolean }>(
    "select to_regclass('public.unfinished_restore') is not null as is_half",
  )
  if (!rows[0]?.is_half) return
  throw new MigrationError(
    'A restore into this installation did not finish: run "npm run restore FILE" again before anything else.',
  )
}

/** Lists the migrations of this version in order. */
export function listMigrations(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
}

type Queryable = Pick<pg.Pool, 'query'>

async function readApplied(client: Queryable): Promise<Set<string>> {
  try {
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name')
    return new Set(rows.map((row) => row.name))
  } catch (error) {
    // 42P01: a new database does not have the table yet.
    if ((error as { code?: string }).code === '42P01') return new Set()
    throw error
  }
}

function refuseNewer(applied: Set<string>, wanted: string[]): void {
  const unknown = [...applied].filter((name) => !wanted.includes(name))
  if (unknown.length === 0) return
  throw new MigrationError(
    `The database was created by a newer version of Atrium (${unknown.join(', ')}): start that version.`,
  )
}

async function applyMissing(client: pg.PoolClient, wanted: string[]): Promise<string[]> {
  await client.query(
    'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  const applied = await readApplied(client)
  const missing = wanted.filter((name) => !applied.has(name))
  // One flush at the end is enough, since migrations lost in a crash are applied again.
  await client.query('set synchronous_commit = off')
  for (const name of missing) {
    if (name === missing.at(-1)) await client.query('reset synchronous_commit')
    await applyOne(client, name)
  }
  return missing
}

async function applyOne(client: pg.PoolClient, name: string): Promise<void> {
  const sql = readFileSync(new URL(name, folder), 'utf8')
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query('insert into schema_migrations (name) values ($1)', [name])
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback').catch(() => undefined)
    if (isDiskFull(cause) || isUnreachable(cause)) throw cause
    throw new MigrationError(`The migration ${name} failed: ${(cause as Error).message}`, { cause })
  }
}
