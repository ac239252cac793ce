import { type Kysely, sql } from 'kysely'
import type { Belief } from '#shared/chat/beliefs/beliefs.ts'
import type { Block } from '#shared/runs/runs/blocks.ts'
import { isPresent } from '../../platform/access/access.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** A belief stored after the run that wrote `message_id`. */
export type StoredBelief = { content: Belief; message_id: string; created_at: Date }

/** Returns the belief at a message: that of its newest ancestor with one, or null. */
export async function findBelief(db: Db, messageId: string | null): Promise<StoredBelief | null> {
  if (messageId === null) return null
  const { rows } = await sql<StoredBelief>`
    with recursive path as (
      select id, parent_id, 0 as depth from messages where id = ${messageId}
      union all
      select parent.id, parent.parent_id, depth + 1
      from path join messages parent on parent.id = path.parent_id
      where not exists (select from beliefs where message_id = path.id)
    )
    select content, message_id, created_at from path join beliefs on message_id = path.id
    order by depth limit 1`.execute(db)
  return rows[0] ?? null
}

/** Stores the belief of a run once. Returns whether this call stored it. */
export async function insertBelief(
  trx: Db,
  belief: { run_id: string; message_id: string; content: Belief },
): Promise<boolean> {
  const inserted = await trx
    .insertInto('beliefs')
    .values({ ...belief, content: toJson(belief.content) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('run_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** An ended reply with the data for its belief update. */
export type EndedTurn = {
  run_id: string
  session_id: string
  user_id: string
  model_name: string
  user_message_id: string
  message_id: string
  question: string
  reply: string
  blocks: Block[]
  language: string
  preferences: Record<string, unknown>
  /** The assistant that wrote the reply. */
  assistant_id: string | null
  is_kept: boolean
  /** The first reply of a chat that is titled after its question. */
  is_unnamed: boolean
}

/** Returns the turn of a run, or null when the chat is deleted. */
export async function loadTurn(db: Db, runId: string): Promise<EndedTurn | null> {
  const { rows } = await sql<EndedTurn>`
    select run.id as run_id, run.session_id, run.user_id, run.model_name, run.user_message_id, run.message_id,
      question.content as question, reply.content as reply, reply.blocks, language, preferences,
      reply.metadata #>> '{assistant,id}' as assistant_id,
      exists (select from beliefs where run_id = run.id) as is_kept,
      run.state = 'completed' and question.parent_id is null and session.title_source = 'message' as is_unnamed
    from runs run
    join sessions session on session.id = run.session_id and session.origin <> 'temporary'
      and ${isPresent('session', 'session')}
    join messages question on question.id = run.user_message_id
    join messages reply on reply.id = run.message_id
    join users on users.id = run.user_id
    where run.id = ${runId}`.execute(db)
  return rows[0] ?? null
}

/** Returns the run of the newest reply on a leaf's branch, or null. */
export async function findNewestRun(db: Db, leafId: string | null): Promise<string | null> {
  if (leafId === null) return null
  const { rows } = await sql<{ id: string }>`
    select run.id from messages leaf
    join runs run on run.message_id = case when leaf.role = 'assistant' then leaf.id else leaf.parent_id end
    where leaf.id = ${leafId} order by run.created_at desc limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** Returns a user's preferences, which include whether beliefs are enabled. */
export async function loadPreferences(db: Db, userId: string): Promise<Record<string, unknown>> {
  const user = await db.selectFrom('users').select('preferences').where('id', '=', userId).executeTakeFirst()
  return user?.preferences ?? {}
}
