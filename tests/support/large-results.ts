import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { TestApp } from './app.ts'

/** Returns text that a database cannot compress. */
export const noise = (characters: number) => randomBytes(characters).toString('base64').slice(0, characters)

/** Returns the bytes of all tables with their TOAST data and indexes. */
export async function storedBytes({ deps }: TestApp): Promise<number> {
  await deps.engine.events.sentFrames.flush()
  const { rows } = await sql<{ bytes: string }>`
    select sum(pg_total_relation_size(oid)) as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(deps.db)
  return Number(rows[0]?.bytes)
}
