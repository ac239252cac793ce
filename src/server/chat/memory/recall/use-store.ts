import { type Kysely, sql } from 'kysely'
import type { ChatMemory, UsedFact } from '#shared/chat/memory/memory.ts'
import { may, type Person } from '../../../platform/access/access.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { fromBytes, toBytes } from '../../../platform/vectors/vectors.ts'
import { type FactVector, joinedTo, projectOf, sourceOf } from '../fact-store.ts'
import type { MemoryPolicy } from '../memory-policy-store.ts'
import type { ToldFact } from './choose-facts.ts'

type Db = Kysely<Tables>
type Told = Pick<MemoryPolicy, 'project' | 'is_shared'>

/** The most facts read for a question: those of the person and of one project. */
const MOST = 1_000

/**
 * Returns the condition that a chat uses fact `f`: it is of its project, or of the person alone while no other member reads the chat.
 */
const isTold = (person: Person, { project, is_shared }: Told) => sql<boolean>`(f.state = 'kept' and (
  f.workspace_id = ${project?.id ?? null}::uuid
  or (f.user_id = ${person.id} and f.workspace_id is null and not ${is_shared}::boolean)))`

/** Returns whether a chat has facts to use. */
export async function hasFacts(db: Db, person: Person, policy: Told): Promise<boolean> {
  const { rows } = await sql`select from facts f where ${isTold(person, policy)} limit 1`.execute(db)
  return rows.length > 0
}

/** Returns whether a message had a reply begun. */
export async function hasRun(db: Db, messageId: string): Promise<boolean> {
  const { rows } = await sql`select from runs where user_message_id = ${messageId} limit 1`.execute(db)
  return rows.length > 0
}

/** Returns the facts that a chat may use, newest first. */
export async function listTold(db: Db, person: Person, policy: Told): Promise<ToldFact[]> {
  const { rows } = await sql<{
    id: string
    text: string
    message_id: string | null
    is_of_project: boolean
    at: Date
    embedding: Buffer | null
    embedding_model: string | null
  }>`
    select f.id, f.text, f.message_id, f.workspace_id is not null as is_of_project, greatest(f.learned_at, f.used_at) as at,
      f.embedding, f.embedding_model
    from facts f where ${isTold(person, policy)} order by f.learned_at desc, f.id limit ${MOST}`.execute(db)
  return rows.map(({ id, text, message_id, is_of_project, at, embedding, embedding_model }) => ({
    ...{ id, text, message_id, isOfProject: is_of_project, at },
    embedding:
      embedding && embedding_model
        ? { model: embedding_model, vector: Array.from(fromBytes(embedding)) }
        : null,
  }))
}

/** Stores the vector of a fact whose text is still the same. */
export async function storeVector(
  db: Db,
  { id, text }: ToldFact,
  { model, vector }: FactVector,
): Promise<void> {
  await sql`update facts set embedding = ${toBytes(vector)}, embedding_model = ${model}
    where id = ${id} and text = ${text}`.execute(db)
}

/** Records the facts given to a reply, each once. Facts deleted meanwhile are left out. */
export async function insertUses(
  trx: Db,
  messageId: string,
  facts: readonly { id: string; text: string }[],
  at: Date,
): Promise<void> {
  if (facts.length === 0) return
  const [ids, texts] = [facts.map(({ id }) => id), facts.map(({ text }) => text)]
  await sql`
    with used as (
      insert into fact_uses (message_id, fact_id, place, text)
      select ${messageId}::uuid, f.id, given.place::int, given.text
      from unnest(${ids}::uuid[], ${texts}::text[]) with ordinality as given (id, text, place)
      join facts f on f.id = given.id on conflict do nothing returning fact_id
    )
    update facts set used_at = ${at}, uses = uses + 1 from used where id = used.fact_id`.execute(trx)
}

/** Records facts given to a reply for a copy of it. */
export async function copyUses(trx: Db, from: string, to: string, factIds: readonly string[]): Promise<void> {
  await sql`
    insert into fact_uses (message_id, fact_id, place, text)
    select ${to}::uuid, fact_id, place, text from fact_uses
    where message_id = ${from} and fact_id = any(${[...factIds]}::uuid[]) on conflict do nothing`.execute(trx)
}

export type UsedNow = { id: string; text: string; is_of_project: boolean; is_inherited: boolean }

/**
 * Returns the facts given to a run's reply that the chat may still use. A run that continues another one uses the facts of that one.
 * A model of a comparison writes the reply of its parent.
 */
export async function listUsedNow(
  db: Db,
  person: Person,
  policy: Told,
  run: { id: string; message_id: string },
): Promise<UsedNow[]> {
  const { rows } = await sql<UsedNow>`
    with recursive chain as (
      select id, ${run.message_id}::uuid as message_id, forked_from_run, 0 as depth from runs where id = ${run.id}
      union all
      select r.id, r.message_id, r.forked_from_run, depth + 1 from chain join runs r on r.id = chain.forked_from_run
    ), nearest as (
      select message_id, depth from chain
      where exists (select from fact_uses u where u.message_id = chain.message_id) order by depth limit 1)
    select f.id, u.text, f.workspace_id is not null as is_of_project, nearest.depth > 0 as is_inherited
    from nearest join fact_uses u on u.message_id = nearest.message_id join facts f on f.id = u.fact_id
    where ${isTold(person, policy)} order by u.place, f.id limit ${MOST}`.execute(db)
  return rows
}

/** Returns the facts given to the newest replies of a chat that the reader may read, oldest reply first. */
export async function listUses(
  db: Db,
  person: Person,
  sessionId: string,
  most: number,
): Promise<ChatMemory['used']> {
  const { rows } = await sql<
    Omit<UsedFact, 'learned_at'> & { message_id: string; learned_at: Date; reply_id: string }
  >`
    with replies as (
      select m.id, m.created_at from messages m
      where m.session_id = ${sessionId} and exists (select from fact_uses u where u.message_id = m.id)
      order by m.created_at desc, m.id limit ${most})
    select replies.id as reply_id, f.id, u.text, f.learned_at, ${projectOf}, ${sourceOf}
    from replies join fact_uses u on u.message_id = replies.id join facts f on f.id = u.fact_id
    ${joinedTo(person)}
    where ${may(person, 'read fact', 'f')}
    order by replies.created_at, replies.id, u.place, f.id limit ${most * 20}`.execute(db)
  const used = new Map<string, UsedFact[]>()
  for (const { reply_id, id, text, learned_at, project, source } of rows)
    used.set(reply_id, [
      ...(used.get(reply_id) ?? []),
      { id, text, project, source, learned_at: learned_at.toISOString() },
    ])
  return [...used].map(([message_id, facts]) => ({ message_id, facts }))
}

type NewestReply = { assistant: { id: string; name: string } | null; model_name: string | null }

/** Returns the assistant and model of the newest reply of a chat, otherwise its chosen model. */
export async function findNewestReply(db: Db, sessionId: string): Promise<NewestReply> {
  const { rows } = await sql<NewestReply>`
    select coalesce(reply.model_name, s.model_name) as model_name, reply.assistant
    from sessions s left join lateral (
      select m.model_name, m.metadata -> 'assistant' as assistant from messages m
      where m.session_id = s.id and m.role = 'assistant' order by m.created_at desc, m.id limit 1) reply on true
    where s.id = ${sessionId}`.execute(db)
  return rows[0] ?? { assistant: null, model_name: null }
}
