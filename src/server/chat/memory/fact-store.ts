import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Fact } from '#shared/chat/memory/fact.ts'
import { MAX_EXPORTED } from '#shared/chat/memory/memory.ts'
import { may, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { fromBytes, toBytes } from '../../platform/vectors/vectors.ts'
import { keyOf } from './rules/fact-words.ts'

type Db = Kysely<Tables>
/** Earlier versions kept of a fact. */
const MAX_HISTORY = 20
/** The owner of facts: a project, or a person alone. */
export type FactScope = { userId: string; workspaceId: string | null }
export type FactVector = { model: string; vector: readonly number[] }
/** The message a fact was learned from. */
export type FactSource = { session_id: string; message_id: string }
type NewFact = FactScope & {
  text: string
  origin: Fact['origin']
  source: FactSource | null
  vector: FactVector | null
  at: Date
}

/** Lets one transaction at a time add facts to a scope, so that equal facts and the maximum are found. */
export async function lockFacts(trx: Db, { userId, workspaceId }: FactScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(38, hashtext(${workspaceId ?? userId}))`.execute(trx)
}

/** Returns the condition that `f` belongs to a scope. */
const isOf = ({ userId, workspaceId }: FactScope): RawBuilder<boolean> =>
  workspaceId === null
    ? sql<boolean>`(f.user_id = ${userId} and f.workspace_id is null)`
    : sql<boolean>`f.workspace_id = ${workspaceId}`

export type ComparedFact = {
  id: string
  text: string
  state: 'kept' | 'proposed'
  embedding: FactVector | null
}

/** Returns the facts and proposals of a scope, to compare a new one with. */
export async function listCompared(db: Db, scope: FactScope, most: number): Promise<ComparedFact[]> {
  const { rows } = await sql<{
    id: string
    text: string
    state: 'kept' | 'proposed'
    embedding: Buffer | null
    embedding_model: string | null
  }>`
    select f.id, f.text, f.state, f.embedding, f.embedding_model from facts f
    where ${isOf(scope)} and f.state <> 'replaced' order by f.learned_at desc, f.id limit ${most}`.execute(db)
  return rows.map(({ embedding, embedding_model, ...row }) => ({
    ...row,
    embedding: embedding && embedding_model ? readVector(embedding, embedding_model) : null,
  }))
}

const readVector = (embedding: Buffer, model: string): FactVector => ({
  model,
  vector: Array.from(fromBytes(embedding)),
})

/** Stores a fact or a proposal. Returns its id. */
export async function insertFact(
  trx: Db,
  fact: NewFact & { state: 'kept' | 'proposed'; contradicts: string | null },
): Promise<string> {
  const { userId, workspaceId, text, origin, source, vector, at, state, contradicts } = fact
  const { id } = await trx
    .insertInto('facts')
    .values({
      ...{ user_id: userId, workspace_id: workspaceId, text, words: keyOf(text), origin, state },
      ...{ session_id: source?.session_id ?? null, message_id: source?.message_id ?? null },
      ...{ fact_id: contradicts, learned_at: at, ...columnsOf(vector) },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type RestoredFact = FactScope & {
  id: string
  text: string
  state: 'kept' | 'proposed' | 'replaced'
  /** The fact that replaced it or that it contradicts. */
  of: string | null
  origin: Fact['origin']
  source: FactSource | null
  learned_at: Date
  replaced_at: Date | null
  used_at: Date | null
  uses: number
}

/** Counts the facts of a scope that count, and returns whether one of them has this key. */
export async function countCompared(
  db: Db,
  scope: FactScope,
  words: string,
): Promise<{ count: number; isKnown: boolean }> {
  const { rows } = await sql<{ count: number; is_known: boolean }>`
    select count(*)::int as count, coalesce(bool_or(f.words = ${words}), false) as is_known from facts f
    where ${isOf(scope)} and f.state <> 'replaced'`.execute(db)
  return { count: rows[0]?.count ?? 0, isKnown: rows[0]?.is_known ?? false }
}

/** Stores a fact of a person or a project with its times. Its embedding is made when it is needed. */
export async function insertRestored(
  trx: Db,
  { userId, workspaceId, of, source, text, ...fact }: RestoredFact,
) {
  await trx
    .insertInto('facts')
    .values({
      ...{ ...fact, user_id: userId, workspace_id: workspaceId, text, words: keyOf(text), fact_id: of },
      ...{ session_id: source?.session_id ?? null, message_id: source?.message_id ?? null },
    })
    .execute()
}

const columnsOf = (vector: FactVector | null) => ({
  embedding: vector && toBytes(vector.vector),
  embedding_model: vector?.model ?? null,
})

/** Gives a fact a new text and keeps the previous one as its history. */
export async function replaceText(trx: Db, id: string, fact: NewFact): Promise<void> {
  const { userId, text, origin, source, vector, at } = fact
  await sql`
    insert into facts (user_id, workspace_id, text, words, origin, session_id, message_id, state, fact_id, learned_at, replaced_at,
      used_at, uses)
    select user_id, workspace_id, text, words, origin, session_id, message_id, 'replaced', id, learned_at, ${at}, used_at, uses
    from facts where id = ${id}`.execute(trx)
  await trx
    .updateTable('facts')
    .set({
      ...{ user_id: userId, text, words: keyOf(text), origin, learned_at: at, ...columnsOf(vector) },
      ...{ session_id: source?.session_id ?? null, message_id: source?.message_id ?? null },
    })
    .where('id', '=', id)
    .execute()
  await sql`
    delete from facts where fact_id = ${id} and state = 'replaced' and id not in (
      select id from facts where fact_id = ${id} and state = 'replaced'
      order by replaced_at desc, id limit ${MAX_HISTORY})`.execute(trx)
}

/** Moves a fact and its history into the history of an equal one. */
export async function absorbFact(trx: Db, id: string, equalId: string, at: Date): Promise<void> {
  await sql`update facts set fact_id = ${equalId} where fact_id = ${id}`.execute(trx)
  await sql`update facts set state = 'replaced', fact_id = ${equalId}, replaced_at = ${at}, embedding = null, embedding_model = null
    where id = ${id}`.execute(trx)
}

/** Turns a proposal into a fact of a scope. */
export async function keepProposal(trx: Db, id: string, { workspaceId }: FactScope, at: Date): Promise<void> {
  await sql`
    update facts set state = 'kept', fact_id = null, workspace_id = ${workspaceId}::uuid, learned_at = ${at}
    where id = ${id} and state = 'proposed'`.execute(trx)
}

export type StoredFact = {
  id: string
  user_id: string
  workspace_id: string | null
  text: string
  state: 'kept' | 'proposed' | 'replaced'
  fact_id: string | null
  session_id: string | null
  message_id: string | null
}

/** Returns a fact and locks it with the facts of its scope, or null. */
export async function lockFact(trx: Db, id: string): Promise<StoredFact | null> {
  const found = await trx
    .selectFrom('facts')
    .select(['user_id', 'workspace_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) return null
  await lockFacts(trx, { userId: found.user_id, workspaceId: found.workspace_id })
  const { rows } = await sql<StoredFact>`
    select id, user_id, workspace_id, text, state, fact_id, session_id, message_id from facts where id = ${id} for update`.execute(
    trx,
  )
  return rows[0] ?? null
}

type RemovedFact = { text: string; session_id: string | null }

/** Deletes facts with their history. Returns all versions. */
export async function removeFacts(trx: Db, ids: readonly string[]): Promise<RemovedFact[]> {
  const { rows } = await sql<RemovedFact>`
    select text, session_id from facts where (id = any(${[...ids]}::uuid[]) and state <> 'proposed')
      or (fact_id = any(${[...ids]}::uuid[]) and state = 'replaced') order by id limit ${MAX_EXPORTED}`.execute(
    trx,
  )
  // A proposal that contradicts one of them no longer does.
  await sql`update facts set fact_id = null where fact_id = any(${[...ids]}::uuid[]) and state = 'proposed'`.execute(
    trx,
  )
  await sql`delete from facts where id = any(${[...ids]}::uuid[])`.execute(trx)
  return rows
}

/** A version of a fact. For an earlier one, `of` is the fact that replaced it. */
export type LearnedVersion = { id: string; of: string }

/** Returns the facts and proposals that come from a chat, and its versions of facts that another chat changed since. */
export async function listLearned(db: Db, person: Person, sessionId: string): Promise<LearnedVersion[]> {
  const { rows } = await sql<LearnedVersion>`
    select f.id, case when f.state = 'replaced' then f.fact_id else f.id end as of from facts f
    where f.session_id = ${sessionId} and f.user_id = ${person.id} and ${may(person, 'write fact', 'f')}
    order by f.id limit ${MAX_EXPORTED}`.execute(db)
  return rows
}

type Wanted = {
  q?: string | undefined
  state: 'kept' | 'proposed'
  workspace_id?: string | undefined
  skip: number
  limit: number
}

/** Returns a page of the facts a person may read: own ones first, then those of projects by name; newest first. */
export async function listFacts(
  db: Db,
  person: Person,
  { q, state, workspace_id, skip, limit }: Wanted,
): Promise<{ items: Fact[]; total: number }> {
  const words = (q ?? '').split(/\s+/).filter((word) => word !== '')
  const found = sql<boolean>`${may(person, 'read fact', 'f')} and f.state = ${state}
    and (${state} = 'kept' or f.user_id = ${person.id})
    and (${workspace_id ?? null}::uuid is null or f.workspace_id = ${workspace_id ?? null}::uuid)
    and not exists (select from unnest(${words}::text[]) word where strpos(${plain(sql`f.text`)}, ${plain(sql`word`)}) = 0)`
  const { rows: counted } = await sql<{
    n: number
  }>`select count(*)::int as n from facts f where ${found}`.execute(db)
  const { rows } = await sql<FactRow>`
    select ${columnsFor(person)} ${joined(person)} where ${found}
    order by f.workspace_id is not null, lower(w.name), w.id, f.learned_at desc, f.id
    offset ${skip} limit ${limit}`.execute(db)
  return { items: rows.map(toFact), total: counted[0]?.n ?? 0 }
}

/** Returns one fact as its reader sees it, or null. */
export async function readFact(db: Db, person: Person, id: string): Promise<Fact | null> {
  const { rows } = await sql<FactRow>`
    select ${columnsFor(person)} ${joined(person)}
    where f.id = ${id} and f.state <> 'replaced' and ${may(person, 'read fact', 'f')}`.execute(db)
  return rows[0] ? toFact(rows[0]) : null
}

/** Returns the proposals that a person got in a chat, newest first. */
export async function listProposals(db: Db, person: Person, sessionId: string, most: number) {
  const { rows } = await sql<FactRow & { reply_id: string | null }>`
    select ${columnsFor(person)}, (select r.message_id from runs r where r.user_message_id = f.message_id
      order by r.created_at desc limit 1) as reply_id
    ${joined(person)}
    where f.session_id = ${sessionId} and f.user_id = ${person.id} and f.state = 'proposed'
    order by f.learned_at desc, f.id limit ${most}`.execute(db)
  return rows.map(({ reply_id, ...row }) => ({ message_id: reply_id, fact: toFact(row) }))
}

/** Compares without case and accents. */
const plain = (text: RawBuilder<unknown>) =>
  sql<string>`regexp_replace(normalize(lower(${text}), NFD), '[\u0300-\u036f]', '', 'g')`

type FactRow = Omit<Fact, 'learned_at' | 'used_at' | 'history'> & {
  learned_at: Date
  used_at: Date | null
  history: Fact['history']
}

const columnsFor = (person: Person) => sql`
  f.id, f.text, f.state, f.origin, f.learned_at, f.used_at, f.uses, ${projectOf}, ${sourceOf},
  case when f.user_id = ${person.id} then null
    else coalesce(nullif(trim(author.full_name), ''), author.username) end as told_by,
  (select coalesce(json_agg(json_build_object('text', h.text, 'learned_at', h.learned_at, 'replaced_at', h.replaced_at)
      order by h.replaced_at desc, h.id), '[]')
    from (select old.id, old.text, old.learned_at, old.replaced_at from facts old
      where old.fact_id = f.id and old.state = 'replaced' order by old.replaced_at desc, old.id limit ${MAX_HISTORY}) h) as history,
  (select json_build_object('id', c.id, 'text', c.text) from facts c
    where c.id = f.fact_id and f.state = 'proposed') as contradicts,
  ${may(person, 'write fact', 'f')} as can_change`

/** The project of a fact, of the joined row `w`. */
export const projectOf = sql`case when w.id is null then null else json_build_object('id', w.id, 'name', w.name) end as project`
/** The message of a fact, of the joined row `s`. */
export const sourceOf = sql`case when s.id is null then null
  else json_build_object('session_id', s.id, 'message_id', f.message_id, 'title', s.title) end as source`

/** Joins what `projectOf` and `sourceOf` read. The chat is joined only while the person may read it. */
export const joinedTo = (person: Person) => sql`
  left join workspaces w on w.id = f.workspace_id
  left join sessions s on s.id = f.session_id and f.message_id is not null and ${may(person, 'read session', 's')}`

const joined = (person: Person) =>
  sql`from facts f join users author on author.id = f.user_id ${joinedTo(person)}`

const iso = (time: string | Date) => new Date(time).toISOString()

const toFact = ({ learned_at, used_at, history, ...row }: FactRow): Fact => ({
  ...row,
  learned_at: iso(learned_at),
  used_at: used_at && iso(used_at),
  history: history.map((one) => ({
    text: one.text,
    learned_at: iso(one.learned_at),
    replaced_at: iso(one.replaced_at),
  })),
})
