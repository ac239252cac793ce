import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { TestApp } from './app.ts'

/** Returns where a mark occurs: database tables, planner statistics, and files of the data folder. */
export async function findTraces(app: TestApp, mark: string) {
  const { db } = app.deps
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'graphile_worker') order by 1`.execute(db)
  const hex = Buffer.from(mark).toString('hex')
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.raw(name)} t
      where position(${mark} in lower(t::text)) > 0 or position(${hex} in t::text) > 0`.execute(db)
    if (rows[0]?.n) found.push(`${name} ${rows[0].n}`)
  }
  const { rows: samples } = await sql<{ tablename: string }>`select distinct tablename from pg_stats
    where schemaname = 'public' and position(${mark} in lower(concat(most_common_vals, histogram_bounds))) > 0`.execute(
    db,
  )
  const all = listDataFiles(app)
  const contains = (name: string) =>
    readFileSync(join(app.dataDir, name)).toString('latin1').toLowerCase().includes(mark)
  return { tables: found, samples, all, files: all.filter(contains) }
}

export const listDataFiles = (app: TestApp) =>
  (readdirSync(app.dataDir, { recursive: true }) as string[])
    .filter((name) => statSync(join(app.dataDir, name)).isFile())
    .sort()
