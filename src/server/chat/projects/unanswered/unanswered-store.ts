import { type Kysely, sql, type Transaction } from 'kysely'
import { MAX_UNANSWERED_GROUPS, MIN_ASKERS, type UnansweredState } from '#shared/chat/projects/unanswered.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

/** Questions of a project that are stored, and those of one person; the oldest are deleted first. */
const MAX_QUESTIONS = 5_000
const MAX_OF_PERSON = 200
/** Groups of a project that a question is compared with, the newest first. */
const MAX_COMPARED = 1_000
/** Questions of a group whose words are read, and those of one person, the newest first. */
const MAX_READ = 500
const MAX_READ_OF_PERSON = 3

type Asked = { runId: string; replyId: string; messageId: string; askerId: string; hasSearched: boolean }

/**
 * Stores the question of a run in a project, if documents were searched and the person for whom the run works wrote it. In a shared chat
 * that is not always its owner, and mails and copied chats contain questions of others. Questions of managers are left out: who knows
 * one of five questions would see those of four people.
 */
export async function insertUnanswered(
  trx: Db,
  { runId, replyId, messageId, askerId, hasSearched }: Asked,
): Promise<void> {
  await sql`insert into unanswered_questions (message_id, session_id, workspace_id, user_id)
    select m.id, s.id, s.workspace_id, ${askerId} from messages m join sessions s on s.id = m.session_id
    where m.id = ${messageId} and s.workspace_id is not null and s.origin = 'chat' and s.deleted_at is null
      and m.is_by_others = (s.user_id <> ${askerId})
      and (not m.is_by_others or not exists (select from messages r where r.parent_id = m.id and r.id <> ${replyId}))
      and not exists (select from workspaces w where w.id = s.workspace_id and w.user_id = ${askerId})
      and not exists (select from workspace_members p where p.workspace_id = s.workspace_id and p.role = 'manager'
        and (p.person_id = ${askerId} or p.group_id in (select group_id from group_members where user_id = ${askerId})))
      and (${hasSearched} or exists (select from tool_executions e
        where e.run_id = ${runId} and e.tool_id = 'document_search' and e.error is null))
    on conflict do nothing`.execute(trx)
}

/** Questions of chats that are in the trash, or were moved to another project, do not count. */
const live = sql`join sessions s on s.id = q.session_id and s.workspace_id = q.workspace_id and s.deleted_at is null`

export type NewQuestion = { message_id: string; workspace_id: string; content: string }

/** Returns questions that no group has yet, the oldest first. */
export async function findUngrouped(db: Db, limit: number): Promise<NewQuestion[]> {
  const { rows } = await sql<NewQuestion>`
    select q.message_id, q.workspace_id, left(m.content, 2000) as content
    from unanswered_questions q join messages m on m.id = q.message_id
    where q.group_id is null order by q.asked_at, q.message_id limit ${limit}`.execute(db)
  return rows
}

/** Groups whose vectors one run replaces, and questions of each that get a new one. The newest come first. */
const [MAX_RENEWED, MAX_OF_GROUP] = [10, 20]

export type Outdated = { group_id: string; message_id: string; content: string }

/** Returns questions of groups with vectors of other embedding models than this one, the newest groups first. */
export async function findOutdated(db: Db, model: string): Promise<Outdated[]> {
  const { rows } = await sql<Outdated>`
    select g.id as group_id, q.message_id, left(m.content, 2000) as content from (
      select id, created_at from unanswered_groups where model <> ${model} order by created_at desc, id limit ${MAX_RENEWED}) g
    cross join lateral (select message_id, asked_at from unanswered_questions where group_id = g.id
      order by asked_at desc, message_id limit ${MAX_OF_GROUP}) q
    join messages m on m.id = q.message_id order by g.created_at desc, g.id, q.asked_at desc, q.message_id`.execute(
    db,
  )
  return rows
}

/** Replaces the vectors of a group. Its other questions lose theirs; they still count, but nothing is compared with them. */
export async function replaceVectors(
  trx: Trx,
  { groupId, model }: { groupId: string; model: string },
  vectors: readonly { messageId: string; vector: Buffer }[],
): Promise<void> {
  await sql`update unanswered_questions q set vector = (
      select r.vector from unnest(${vectors.map(({ messageId }) => messageId)}::uuid[],
        ${vectors.map(({ vector }) => vector)}::bytea[]) r (message_id, vector) where r.message_id = q.message_id)
    where q.group_id = ${groupId}`.execute(trx)
  await sql`update unanswered_groups set model = ${model} where id = ${groupId}`.execute(trx)
}

export type StoredGroup = { id: string; vectors: Buffer[] }

/** Locks a project, so that its questions are grouped one after the other. Returns its groups of one embedding model. */
export async function lockGroups(trx: Trx, workspaceId: string, model: string): Promise<StoredGroup[]> {
  await sql`select from workspaces where id = ${workspaceId} for no key update`.execute(trx)
  const { rows } = await sql<StoredGroup>`
    select g.id, array_agg(q.vector) as vectors from unanswered_questions q join (
      select id, created_at from unanswered_groups where workspace_id = ${workspaceId} and model = ${model}
      order by created_at desc, id limit ${MAX_COMPARED}) g on g.id = q.group_id
    where q.vector is not null group by g.id, g.created_at order by g.created_at desc, g.id`.execute(trx)
  return rows
}

export async function insertGroup(trx: Trx, row: { workspace_id: string; model: string }): Promise<string> {
  const { id } = await trx
    .insertInto('unanswered_groups')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type Joined = { messageId: string; groupId: string; vector: Buffer }

/** Puts questions into their groups. A question that is gone or has a group changes nothing. */
export async function joinGroups(trx: Trx, joined: readonly Joined[]): Promise<void> {
  await sql`update unanswered_questions q set group_id = j.group_id, vector = j.vector
    from unnest(${joined.map(({ messageId }) => messageId)}::uuid[], ${joined.map(({ groupId }) => groupId)}::uuid[],
      ${joined.map(({ vector }) => vector)}::bytea[]) j (message_id, group_id, vector)
    where q.message_id = j.message_id and q.group_id is null`.execute(trx)
}

/** Deletes the oldest questions above the limits of a person and of a project. */
export async function removeSurplus(trx: Trx, workspaceId: string): Promise<void> {
  await sql`delete from unanswered_questions where message_id in (select message_id from (
      select message_id, row_number() over (order by asked_at desc, message_id) as at,
        row_number() over (partition by user_id order by asked_at desc, message_id) as at_of_person
      from unanswered_questions where workspace_id = ${workspaceId}) q
    where at > ${MAX_QUESTIONS} or at_of_person > ${MAX_OF_PERSON})`.execute(trx)
}

/** Deletes groups whose last question is gone. */
export async function removeEmptyGroups(db: Db): Promise<void> {
  await sql`delete from unanswered_groups g
    where not exists (select from unanswered_questions q where q.group_id = g.id)`.execute(db)
}

export type Uncounted = { id: string; questions: { userId: string; content: string }[] }

/** Returns the groups of a project with new questions of enough people to change what managers see, with what their words are read from. */
export async function findUncounted(trx: Trx, workspaceId: string): Promise<Uncounted[]> {
  const { rows } = await sql<Uncounted>`
    with uncounted as (
      select q.group_id from unanswered_questions q ${live}
      where q.workspace_id = ${workspaceId} and q.group_id is not null and not q.is_counted
      group by q.group_id having count(distinct q.user_id) >= ${MIN_ASKERS})
    select group_id as id, (
      select jsonb_agg(jsonb_build_object('userId', r.user_id, 'content', r.content)) from (
        select o.user_id, left(m.content, 2000) as content from (
          select q.message_id, q.user_id, q.asked_at,
            row_number() over (partition by q.user_id order by q.asked_at desc, q.message_id) as at_of_person
          from unanswered_questions q ${live} where q.group_id = uncounted.group_id) o
        join messages m on m.id = o.message_id where o.at_of_person <= ${MAX_READ_OF_PERSON}
        order by o.asked_at desc, o.message_id limit ${MAX_READ}) r) as questions
    from uncounted`.execute(trx)
  return rows
}

/** Returns the names of people who asked in a project or belong to it, and of their colleagues. */
export async function findNames(trx: Trx, workspaceId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with near as (select people_of_project(${workspaceId}) as id
      union select user_id from unanswered_questions where workspace_id = ${workspaceId})
    select concat_ws(' ', u.full_name, u.username) as name from users u where u.id in (
      select id from near union select c.user_id from company_members c where c.company_id in (
        select own.company_id from company_members own join near on near.id = own.user_id))`.execute(trx)
  return rows.map(({ name }) => name)
}

/** Counts all questions of a group, and shows that from now on. A group that was answered is open again. */
export async function countGroup(trx: Trx, { id, words }: { id: string; words: string[] }): Promise<void> {
  await sql`update unanswered_questions set is_counted = true where message_id in (
    select q.message_id from unanswered_questions q ${live} where q.group_id = ${id})`.execute(trx)
  await sql`update unanswered_groups g set words = ${words}, counted_on = clock_timestamp()::date,
      askers = (select count(distinct q.user_id) from unanswered_questions q ${live} where q.group_id = g.id),
      state = case when g.state = 'answered' then 'open' else g.state end
    where g.id = ${id}`.execute(trx)
}

export type GroupRow = {
  id: string
  words: string[]
  askers: number
  counted_on: string
  state: UnansweredState
}

/** Returns the counted groups of a project that still have enough people, those of most people first; one group if it is given. */
export async function findGroups(db: Db, workspaceId: string, groupId?: string): Promise<GroupRow[]> {
  const only = groupId ? sql`g.id = ${groupId}` : sql`true`
  const { rows } = await sql<GroupRow>`
    select g.id, g.words, g.askers, g.counted_on::text, g.state
    from unanswered_groups g join unanswered_questions q on q.group_id = g.id ${live}
    where g.workspace_id = ${workspaceId} and g.counted_on is not null and ${only}
    group by g.id having count(distinct q.user_id) >= ${MIN_ASKERS}
    order by g.askers desc, g.counted_on desc, g.id limit ${MAX_UNANSWERED_GROUPS}`.execute(db)
  return rows
}

/** Stores what a manager decided. */
export async function setGroupState(trx: Db, groupId: string, state: UnansweredState): Promise<void> {
  await sql`update unanswered_groups set state = ${state} where id = ${groupId}`.execute(trx)
}
