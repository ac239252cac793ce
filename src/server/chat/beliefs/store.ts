import { type Kysely, sql } from 'kysely'
import type { Belief } from '#shared/chat/beliefs/beliefs.ts'
import type { Block } from '#shared/runs/runs/blocks.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** A working memory as it was kept after the run that wrote `message_id`. */
export type StoredBelief = { content: Belief; message_id: string; created_at: Date }

/** The belief in force at a message: that of the newest message up to it that has one; null before the first one. */
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

/** Keeps the belief after a run, once however often it is told. Gives whether it was the first time. */
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

/** A reply that came to its end, with what is needed to work it in. */
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
  is_kept: boolean
}

/** Null once the chat is gone. */
export async function loadTurn(db: Db, runId: string): Promise<EndedTurn | null> {
  const { rows } = await sql<EndedTurn>`
    select run.id as run_id, run.session_id, run.user_id, run.model_name, run.user_message_id, run.message_id,
      question.content as question, reply.content as reply, reply.blocks, language, preferences,
      exists (select from beliefs where run_id = run.id) as is_kept
    from runs run
    join messages question on question.id = run.user_message_id
    join messages reply on reply.id = run.message_id
    join users on users.id = run.user_id
    where run.id = ${runId}`.execute(db)
  return rows[0] ?? null
}

/** The run that wrote the newest reply of a branch, by its leaf; null when nothing was replied there. */
export async function findNewestRun(db: Db, leafId: string | null): Promise<string | null> {
  if (leafId === null) return null
  const { rows } = await sql<{ id: string }>`
    select run.id from messages leaf
    join runs run on run.message_id = case when leaf.role = 'assistant' then leaf.id else leaf.parent_id end
    where leaf.id = ${leafId} order by run.created_at desc limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** Whether a person lets beliefs be kept is in here. */
export async function loadPreferences(db: Db, userId: string): Promise<Record<string, unknown>> {
  const user = await db.selectFrom('users').select('preferences').where('id', '=', userId).executeTakeFirst()
  return user?.preferences ?? {}
}
