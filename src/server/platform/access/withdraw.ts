import { type Kysely, sql } from 'kysely'
import type { Tables } from '../db/tables.ts'

/** Where processes are told of rights to a session that are gone, by its id. */
export const withdrawnChannel = 'atrium_withdrawn'

/**
 * Has every process ask those who read a session whether they still may, as soon as this is committed. Whoever
 * takes a right away says so here; where nobody does, open streams notice it within a minute.
 */
export async function tellWithdrawn(trx: Kysely<Tables>, sessionId: string): Promise<void> {
  await sql`select pg_notify(${withdrawnChannel}, ${sessionId})`.execute(trx)
}
