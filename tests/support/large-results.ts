import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { TestApp } from './app.ts'

/** What no database makes smaller. */
export const noise = (characters: number) => randomBytes(characters).toString('base64').slice(0, characters)

/** Bytes of all tables, with what is stored beside them and their indexes. */
export async function storedBytes({ deps }: TestApp): Promise<number> {
  await deps.engine.events.sentFrames.flush()
  const { rows } = await sql<{ bytes: string }>`
    select sum(pg_total_relation_size(oid)) as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(deps.db)
  return Number(rows[0]?.bytes)
}
