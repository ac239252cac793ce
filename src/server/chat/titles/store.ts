import { type Kysely, sql } from 'kysely'
import { isPresent } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** The first reply of a chat titled after its question, with the start of both texts. */
export type FirstTurn = {
  run_id: string
  session_id: string
  user_id: string
  model_name: string
  language: string
  question: string
  reply: string
}

/** Returns the first turn, or null when the chat is deleted or already named. */
export async function loadFirstTurn(db: Db, runId: string, characters: number): Promise<FirstTurn | null> {
  const { rows } = await sql<FirstTurn>`
    select run.id as run_id, run.session_id, run.user_id, run.model_name, users.language,
      left(question.content, ${characters}) as question, left(reply.content, ${characters}) as reply
    from runs run
    join sessions session on session.id = run.session_id and session.title_source = 'message'
      and session.origin <> 'temporary' and ${isPresent('session', 'session')}
    join messages question on question.id = run.user_message_id
    join messages reply on reply.id = run.message_id
    join users on users.id = run.user_id
    where run.id = ${runId}`.execute(db)
  return rows[0] ?? null
}

/** Returns whether a message is the first one of an unnamed chat. */
export async function isUnnamed(db: Db, sessionId: string, messageId: string): Promise<boolean> {
  const { rows } = await sql`
    select from sessions session join messages first on first.id = ${messageId} and first.parent_id is null
    where session.id = ${sessionId} and session.title_source = 'message'`.execute(db)
  return rows.length > 0
}

/** Sets a generated title. Returns false when the chat was named meanwhile. */
export async function giveTitle(db: Db, sessionId: string, title: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ title, title_source: 'model' })
    .where('id', '=', sessionId)
    .where('title_source', '=', 'message')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
