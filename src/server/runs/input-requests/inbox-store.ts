import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  type InputRequest,
  NO_ASSISTANT,
  type RequestingAssistant,
  type RequestState,
} from '#shared/runs/input-requests/input-requests.ts'
import type { InputRequiredBlock, PausedBlock } from '#shared/runs/runs/blocks.ts'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { may, type Principal } from '../../platform/access/access.ts'
import { withinBytes } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Wish = { status: RequestState; assistant_id?: string | undefined; skip: number; limit: number }
/** An inbox entry before the assistant's name is added. */
type Listed = Omit<InputRequest, 'assistant_name'>
type Group = Omit<RequestingAssistant, 'name'>

/**
 * Returns one page of input requests in one state that the principal may see, with totals by assistant.
 * A run that waits for a top-up is listed while it is paused.
 */
export async function listRequests(
  db: Db,
  principal: Principal,
  wish: Wish,
): Promise<{ items: Listed[]; groups: Group[] }> {
  const { rows: groups } = await sql<Group>`
    select ${assistantId} as id, count(*)::int as count
    from (${requestsOf(principal, wish.status)}) r ${withChat(principal)}
    group by 1 order by 1 nulls last limit 1000`.execute(db)
  if (groups.length === 0) return { items: [], groups }
  const { rows } = await withinBytes(sql<Row>`
    select r.*, s.id as session_id, s.title, ${assistantId} as assistant_id, ${requester(principal)} as asked_by
    from (${requestsOf(principal, wish.status)}) r ${withChat(principal)}
    where ${ofAssistant(wish.assistant_id)}
    order by ${wish.status === 'waiting' ? dueFirst : newestFirst}, r.run_id, r.key
    limit ${wish.limit} offset ${wish.skip}`).execute(db)
  return { items: rows.map((row) => toItem(row, wish.status)), groups }
}

type Row = {
  run_id: string
  session_id: string | null
  title: string | null
  assistant_id: string | null
  asked_by: string | null
  state: string
  request: unknown
  pause: unknown
  answer: unknown
  answered_at: Date | null
}

/** Joins the chat of a request, if the principal may read it: an approver may not have access to it. */
const withChat = (principal: Principal) =>
  sql`left join sessions s on s.id = r.chat_id and ${may(principal, 'read session', 's')}`

/** Selects the name of the person of the run; null for the principal. */
const requester = (principal: Principal) => sql`(select coalesce(nullif(trim(u.full_name), ''), u.username)
  from users u where u.id = r.user_id and r.user_id <> ${'id' in principal ? principal.id : null}::uuid)`

const assistantId = sql<string | null>`nullif(s.session_metadata->>'assistant_id', '')`
const dueFirst = sql`r.deadline asc nulls last, r.created_at`
const newestFirst = sql`r.answered_at desc`

function ofAssistant(id: string | undefined): RawBuilder<unknown> {
  if (id === undefined) return sql`true`
  return id === NO_ASSISTANT ? sql`${assistantId} is null` : sql`${assistantId} = ${id}`
}

function requestsOf(principal: Principal, status: RequestState): RawBuilder<unknown> {
  const asked = sql`
    select run_id, user_id, session_id as chat_id, key, state, deadline, created_at, answered_at, request, answer, null::json as pause
    from input_requests where ${may(principal, 'write request')} and state = ${status}
      and (names_approver or ${isNoVisit('input_requests')})`
  return status === 'waiting' ? sql`${asked} union all ${unpaidRunsOf(principal)}` : asked
}

/** Selects paused runs that cannot be paid for. The pause record gives their position. */
function unpaidRunsOf(principal: Principal): RawBuilder<unknown> {
  return sql`
    select runs.id, runs.user_id, runs.session_id, '', 'waiting', null, paused.created_at, null, null, null, paused.value
    from runs join lateral (
      select created_at, value from run_records
      where run_id = runs.id and kind = 'pause' order by position desc limit 1
    ) paused on true
    where ${may(principal, 'write run')} and runs.state = 'paused' and runs.paused_for = 'balance'
      and runs.parent_run_id is null and ${isNoVisit('runs')}`
}

/** Excludes requests of embed visitors, assistant tries and temporary chats: those are answered elsewhere. */
const isNoVisit = (alias: string) => sql`not exists (
  select from sessions visited where visited.id = ${sql.ref(`${alias}.session_id`)} and visited.origin in ('embed', 'try', 'temporary'))`

function toItem(row: Row, state: RequestState): Listed {
  const { run_id, session_id, title: session_title, assistant_id, asked_by } = row
  const answered_at = row.answered_at?.toISOString() ?? null
  const request = row.pause ? shownPause(row) : shownRequest(row)
  return { run_id, session_id, session_title, assistant_id, asked_by, state, request, answered_at }
}

function shownPause({ pause }: Row): PausedBlock {
  const [event] = (pause as { events: Extract<RunEvent, { event: 'agent_task_paused' }>[] }).events
  const { checkpoint_name = '', timestamp = '', at_step } = event ?? {}
  return {
    ...{ type: 'paused', id: 'paused', reason: 'balance', checkpoint_name, created_at: timestamp },
    ...(at_step && { at_step }),
  }
}

function shownRequest({ state, request, answer, answered_at }: Row): InputRequiredBlock {
  const block = request as InputRequiredBlock
  if (!answer) return state === 'waiting' ? block : { ...block, state: 'closed' }
  const given = answer as { input: unknown; input_type: string }
  const at = answered_at ? { answered_at: answered_at.toISOString() } : {}
  return { ...block, state: 'provided', ...given, ...at, ...(state === 'expired' && { by_default: true }) }
}
