import { type Kysely, sql, type Transaction } from 'kysely'
import { MAX_UNANSWERED_GROUPS, MIN_ASKERS, type UnansweredState } from '#shared/chat/projects/unanswered.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

/** Questions of a project that are stored; the oldest are deleted first. */
const MAX_QUESTIONS = 5_000
/** Groups of a project that a question is compared with, the newest first. */
const MAX_COMPARED = 1_000
/** Questions of a group whose words are read. */
const MAX_READ = 500

type Asked = { runId: string; replyId: string; messageId: string; askerId: string; hasSearched: boolean }

/**
 * Stores the question of a run in a project, if documents were searched and the person for whom the run works wrote it. In a shared chat
 * that is not always its owner, and mails and copied chats contain questions of others.
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
      and (${hasSearched} or exists (select from tool_executions e
        where e.run_id = ${runId} and e.tool_id = 'document_search' and e.error is null))
    on conflict do nothing`.execute(trx)
}

/** Questions of chats that are in the trash, or were moved to another project, do not count. */
const counted = sql`join sessions s on s.id = q.session_id and s.workspace_id = q.workspace_id and s.deleted_at is null`

export type NewQuestion = { message_id: string; workspace_id: string; content: string; asked_at: Date }

/** Returns questions that no group has yet, the oldest first. */
export async function findUngrouped(db: Db, limit: number): Promise<NewQuestion[]> {
  const { rows } = await sql<NewQuestion>`
    select q.message_id, q.workspace_id, left(m.content, 2000) as content, q.asked_at
    from unanswered_questions q join messages m on m.id = q.message_id
    where q.group_id is null order by q.asked_at, q.message_id limit ${limit}`.execute(db)
  return rows
}

export type StoredGroup = { id: string; centre: Buffer; size: number }

/** Locks a project, so that its questions are grouped one after the other. Returns its groups of one embedding model. */
export async function lockGroups(trx: Trx, workspaceId: string, model: string): Promise<StoredGroup[]> {
  await sql`select from workspaces where id = ${workspaceId} for no key update`.execute(trx)
  const { rows } = await sql<StoredGroup>`select id, centre, size from unanswered_groups
    where workspace_id = ${workspaceId} and model = ${model}
    order by created_at desc, id limit ${MAX_COMPARED}`.execute(trx)
  return rows
}

export async function insertGroup(
  trx: Trx,
  row: { workspaceId: string; model: string; centre: Buffer },
): Promise<string> {
  const { id } = await trx
    .insertInto('unanswered_groups')
    .values({ workspace_id: row.workspaceId, model: row.model, centre: row.centre })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Puts a question into a group with a new centre. A question that is gone or has a group changes nothing. */
export async function joinGroup(
  trx: Trx,
  messageId: string,
  { id, centre }: { id: string; centre: Buffer },
): Promise<void> {
  await sql`with joined as (update unanswered_questions set group_id = ${id}
      where message_id = ${messageId} and group_id is null returning group_id)
    update unanswered_groups g set size = g.size + 1, centre = ${centre} from joined where g.id = joined.group_id`.execute(
    trx,
  )
}

/** Deletes the oldest questions above the limit of a project, and groups without questions. */
export async function removeSurplus(trx: Trx, workspaceId: string): Promise<void> {
  await sql`delete from unanswered_questions where message_id in (select message_id from unanswered_questions
    where workspace_id = ${workspaceId} order by asked_at desc, message_id offset ${MAX_QUESTIONS})`.execute(
    trx,
  )
  await sql`delete from unanswered_groups g where workspace_id = ${workspaceId}
    and not exists (select from unanswered_questions q where q.group_id = g.id)`.execute(trx)
}

export type GroupRow = {
  id: string
  askers: number
  first_on: string
  last_on: string
  state: UnansweredState
  questions: { userId: string; content: string }[]
}

/** Returns the groups of a project that enough people asked, those of most people first; one group if it is given. */
export async function findGroups(db: Db, workspaceId: string, groupId?: string): Promise<GroupRow[]> {
  const only = groupId ? sql`g.id = ${groupId}` : sql`true`
  const { rows } = await sql<GroupRow>`
    with asked as (
      select g.id, count(distinct q.user_id)::int as askers, min(q.asked_at)::date::text as first_on,
        max(q.asked_at)::date::text as last_on,
        case when g.state = 'answered' and max(q.asked_at) > g.decided_at then 'open' else g.state end as state
      from unanswered_groups g join unanswered_questions q on q.group_id = g.id ${counted}
      where g.workspace_id = ${workspaceId} and ${only}
      group by g.id having count(distinct q.user_id) >= ${MIN_ASKERS}
      order by askers desc, last_on desc, g.id limit ${MAX_UNANSWERED_GROUPS})
    select asked.*, (select coalesce(jsonb_agg(jsonb_build_object('userId', r.user_id, 'content', r.content)), '[]')
      from (select q.user_id, left(m.content, 2000) as content from unanswered_questions q ${counted}
        join messages m on m.id = q.message_id where q.group_id = asked.id
        order by q.asked_at desc, q.message_id limit ${MAX_READ}) r) as questions
    from asked order by askers desc, last_on desc, id`.execute(db)
  return rows
}

/** Stores what a manager decided. */
export async function setGroupState(trx: Db, groupId: string, state: UnansweredState): Promise<void> {
  await sql`update unanswered_groups set state = ${state},
    decided_at = case when ${state} = 'open' then null else clock_timestamp() end where id = ${groupId}`.execute(
    trx,
  )
}
