import { type Kysely, sql } from 'kysely'
import type { Tables } from '../db/tables.ts'

/** Channel for withdrawn rights to a session; the message is the session's id. */
export const withdrawnChannel = 'atrium_withdrawn'

/**
 * Makes every process check the readers of a session again after the commit. Call it whenever a right is withdrawn;
 * without the call, open streams notice within a minute.
 */
export async function tellWithdrawn(trx: Kysely<Tables>, sessionId: string): Promise<void> {
  await sql`select pg_notify(${withdrawnChannel}, ${sessionId})`.execute(trx)
}
