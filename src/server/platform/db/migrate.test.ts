import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { afterEach, expect, inject, it } from 'vitest'
import { nameSkeleton } from '../../identity/accounts/accounts.ts'
import { createLog } from '../log.ts'
import { type Connection, connect } from './connect.ts'
import { MigrationError, migrate } from './migrate.ts'

const log = createLog('silent')
const files = readdirSync(new URL('../../../../migrations/', import.meta.url)).sort()
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

/** Opens connections of several servers to one empty database. */
async function servers(count: number): Promise<Connection[]> {
  const database = `empty_${randomBytes(6).toString('hex')}`
  const admin = connect({ ...inject('cluster'), database: 'postgres' }, log, { max: 1 })
  await admin.pool.query(`create database ${database} template template0`)
  cleanups.push(async () => {
    await admin.pool.query(`drop database ${database} with (force)`)
    await admin.close()
  })
  return Array.from({ length: count }, () => {
    const connection = connect({ ...inject('cluster'), database }, log)
    cleanups.push(() => connection.close())
    return connection
  })
}

it('creates the tables once when several servers start simultaneously', async () => {
  const all = await servers(4)
  const applied = await Promise.all(all.map(({ pool }) => migrate(pool)))
  expect(applied.flat().sort()).toEqual(files)
  const { rows } = await all[0]!.pool.query('select name from schema_migrations order by name')
  expect(rows.map(({ name }) => name)).toEqual(files)
  expect(await migrate(all[1]!.pool)).toEqual([])
})

it('leaves a database of a newer version unchanged', async () => {
  const [{ pool }] = (await servers(1)) as [Connection]
  await migrate(pool)
  await pool.query("insert into schema_migrations (name) values ('9999_later.sql')")
  await expect(migrate(pool)).rejects.toThrow(MigrationError)
  await expect(migrate(pool)).rejects.toThrow(/created by a newer version of Atrium \(9999_later\.sql\)/)
})

it('applies a file completely or not at all, and continues there next time', async () => {
  const [{ pool }] = (await servers(1)) as [Connection]
  // Makes the second file fail.
  await pool.query('create table sessions (id int)')
  await expect(migrate(pool)).rejects.toThrow(
    /^The migration 0002_.*\.sql failed: relation "sessions" already exists/,
  )
  const { rows } = await pool.query('select name from schema_migrations order by name')
  expect(rows.map(({ name }) => name)).toEqual(files.slice(0, 1))
  const { rows: tables } = await pool.query("select 1 from pg_tables where tablename = 'messages'")
  expect(tables).toEqual([])
  await pool.query('drop table sessions')
  expect(await migrate(pool)).toEqual(files.slice(1))
})

it('adds display names to existing accounts; the oldest of several similar ones stays unchanged', async () => {
  const [{ pool }] = (await servers(1)) as [Connection]
  // Makes the file fail.
  await pool.query('create table known_devices (id int)')
  await expect(migrate(pool)).rejects.toThrow(/^The migration 0014_/)
  const names = ['o’Hara', 'josé', 'Мария', 'IVAN10', 'Arnold', 'admin', 'аdmin']
  for (const [at, name] of names.entries()) {
    const values = [name, `${at}@example.com`, new Date(Date.UTC(2026, 0, 1 + at))]
    await pool.query('insert into users (username, email, created_at) values ($1, $2, $3)', values)
  }
  await pool.query('drop table known_devices')
  await migrate(pool)
  const { rows } = await pool.query('select id, name_skeleton from users order by created_at')
  expect(rows.slice(0, 6).map(({ name_skeleton }) => name_skeleton)).toEqual(
    names.slice(0, 6).map(nameSkeleton),
  )
  expect(rows[6].name_skeleton).toBe(`${nameSkeleton('admin')} ${rows[6].id}`)
})
