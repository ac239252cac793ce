import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

type Origin = { forked_from: string; forked_message: string | null; fork_end: string | null }

/** Links a chat to the one it was forked from, if both exist and it has no link yet. */
export async function linkFork(trx: Db, id: string, origin: Origin): Promise<void> {
  await sql`
    update sessions set forked_from = ${origin.forked_from}, forked_message = ${origin.forked_message}::uuid,
      fork_end = ${origin.fork_end}::uuid
    where id = ${id} and forked_from is null and exists (select from sessions where id = ${origin.forked_from})`.execute(
    trx,
  )
}

type MemoryUse = { message_id: string; fact_id: string; place: number; text: string }

/** Inserts the use of a fact, once, if the reply and the fact exist. */
export async function insertMemoryUse(
  trx: Db,
  { message_id, fact_id, place, text }: MemoryUse,
): Promise<void> {
  await sql`
    insert into fact_uses (message_id, fact_id, place, text)
    select m.id, f.id, ${place}::int, ${text} from messages m, facts f where m.id = ${message_id} and f.id = ${fact_id}
    on conflict do nothing`.execute(trx)
}
