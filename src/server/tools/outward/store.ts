import { type Kysely, sql } from 'kysely'
import type { OutwardCalls, Sending } from '#shared/platform/outward.ts'
import { isPresent, may, type Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Returns the distinct rules of a person's companies. */
export async function rulesOfCompanies(db: Db, userId: string): Promise<OutwardCalls[]> {
  const { rows } = await sql<{ outward_calls: OutwardCalls }>`
    select distinct company.outward_calls from company_members m join companies company on company.id = m.company_id
    where m.user_id = ${userId} order by 1 limit 3`.execute(db)
  return rows.map(({ outward_calls }) => outward_calls)
}

/** Returns the names of a chat's linked documents, newest links first. The name is empty when the person may not read the document. */
export async function linkedNames(
  db: Db,
  reader: Principal,
  sessionId: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select case when ${may(reader, 'read document', 'd')} then d.name else '' end as name from session_documents l join documents d on d.id = l.document_id
    where l.session_id = ${sessionId} and ${isPresent('document', 'd')} order by l.added_at desc, d.id limit ${limit}`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

type Path = { messageId: string; userId: string; pure: readonly string[] }

/**
 * Returns the messages of the path to a message that may contain text foreign to the person: someone else wrote it or had it
 * answered, the chat is not theirs, text was read for the answer, came from a tool that is not `pure`, or has an unknown origin.
 */
export async function listForeign(db: Db, { messageId, userId, pure }: Path): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive path as (
      select id, session_id, parent_id, role, is_by_others from messages where id = ${messageId}
      union all
      select parent.id, parent.session_id, parent.parent_id, parent.role, parent.is_by_others
        from path join messages parent on parent.id = path.parent_id
    )
    select distinct path.id from path join sessions s on s.id = path.session_id
      left join runs r on r.message_id = path.id
      left join run_records first on first.run_id = r.id and first.position = 0
      cross join lateral (select (first.value::jsonb) -> 'value' as input) as frozen
    where s.user_id <> ${userId} or path.is_by_others or path.role = 'assistant' and (
      r.id is null or r.user_id <> ${userId} or r.forked_from_run is not null
      or frozen.input ? 'library'
      or case when frozen.input ? 'outward' then jsonb_array_length(frozen.input -> 'outward' -> 'read') > 0
           else frozen.input ? 'assistant' or frozen.input ? 'assistants' end
      or exists (select from tool_executions e
          where e.run_id in (select r.id union all select part.id from runs part where part.parent_run_id = r.id)
            and e.status in ('complete', 'error') and not e.tool_id = any(${[...pure]}::text[]))
    )
    order by path.id`.execute(db)
  return rows.map(({ id }) => id)
}

type Call = {
  sessionId: string
  userId: string
  toolId: string
  version: number | undefined
  sending: Sending
}

/**
 * Returns whether a person has allowed calls of this tool to these hosts for the rest of a chat. Approval of one call does
 * not apply to an identical one, because repeated calls can encode data.
 */
export async function isAllowedInChat(db: Db, call: Call): Promise<boolean> {
  const { sessionId, userId, toolId, version, sending } = call
  const { rows } = await sql`
    select from input_requests r
      cross join lateral (select (r.request::jsonb) -> 'tool' as tool, (r.answer::jsonb) -> 'input' as given) as asked
    where r.session_id = ${sessionId} and r.user_id = ${userId} and r.state = 'answered'
      and given -> 'approved' = 'true' and tool ->> 'tool_id' = ${toolId}
      and coalesce(tool ->> 'tool_version', '') = ${version === undefined ? '' : String(version)}
      and tool -> 'outward' -> 'hosts' = ${JSON.stringify(sending.hosts)}::jsonb
      and given -> 'for_chat' = 'true'
    limit 1`.execute(db)
  return rows.length > 0
}

/** Counts other calls of a tool with exactly this input in a run. */
export async function countSame(
  db: Db,
  runId: string,
  { toolId, executionId, input }: { toolId: string; executionId: string; input: unknown },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from tool_executions
    where run_id = ${runId} and tool_id = ${toolId} and id <> ${executionId}
      and input::jsonb = ${JSON.stringify(input)}::jsonb`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns the text of a message. */
export async function wordsOf(db: Db, messageId: string): Promise<string> {
  const row = await db.selectFrom('messages').select('content').where('id', '=', messageId).executeTakeFirst()
  return row?.content ?? ''
}
