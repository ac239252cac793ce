import { type Kysely, sql } from 'kysely'
import type { InputRequest, RequestState } from '#shared/input-requests/input-requests.ts'
import type { InputRequiredBlock } from '#shared/runs/blocks.ts'
import type { Tables } from '../db/tables.ts'

type Db = Kysely<Tables>
/** A request as it is found for an answer. */
export type FoundRequest = {
  run_id: string
  key: string
  user_id: string
  session_id: string | null
  checkpoint_name: string
  state: Tables['input_requests']['state']['__select__']
  deadline: Date | null
  answer: { input: unknown; input_type: string } | null
  request: InputRequiredBlock
}

/** The newest request of a session with this name; one that waits comes first. */
export function findBySession(db: Db, sessionId: string, checkpointName: string) {
  return findNewest(db, (query) =>
    query.where('session_id', '=', sessionId).where('checkpoint_name', '=', checkpointName),
  )
}

/** The newest request of a call; one that waits comes first. */
export function findByExecution(db: Db, executionId: string) {
  return findNewest(db, (query) => query.where('tool_execution_id', '=', executionId))
}

/** What a call waits for a person with, or null. */
export async function findWaitingRequest(db: Db, executionId: string): Promise<InputRequiredBlock | null> {
  const found = await findByExecution(db, executionId)
  return found?.state === 'waiting' ? found.request : null
}

type Select = ReturnType<typeof selectRequests>
const selectRequests = (db: Db) => db.selectFrom('input_requests').selectAll()

async function findNewest(db: Db, narrow: (query: Select) => Select): Promise<FoundRequest | null> {
  const row = await narrow(selectRequests(db))
    .orderBy(sql`state = 'waiting'`, 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('key')
    .limit(1)
    .executeTakeFirst()
  return (row as FoundRequest | undefined) ?? null
}

/** The requests of a user's runs in one state. */
export async function listRequests(
  db: Db,
  userId: string,
  { status, limit }: { status: RequestState; limit: number },
): Promise<{ items: InputRequest[]; total: number }> {
  const all = db.selectFrom('input_requests').where('user_id', '=', userId).where('state', '=', status)
  const { total } = await all.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  if (Number(total) === 0) return { items: [], total: 0 }
  const listed = db
    .selectFrom('input_requests as r')
    .leftJoin('sessions as s', 's.id', 'r.session_id')
    .select(['r.run_id', 'r.session_id', 'r.state', 'r.request', 'r.answer', 'r.answered_at', 's.title'])
    .select(sql<string | null>`s.session_metadata->>'assistant_id'`.as('assistant_id'))
    .where('r.user_id', '=', userId)
    .where('r.state', '=', status)
    .limit(limit)
  const rows = await (status === 'waiting'
    ? listed.orderBy('r.deadline', (order) => order.asc().nullsLast()).orderBy('r.created_at')
    : listed.orderBy('r.answered_at', 'desc')
  )
    .orderBy('r.key')
    .execute()
  const items = rows.map((row) => ({
    ...{ run_id: row.run_id, session_id: row.session_id, session_title: row.title },
    ...{ assistant_id: row.assistant_id, state: status, request: shownRequest(row) },
    answered_at: row.answered_at?.toISOString() ?? null,
  }))
  return { items, total: Number(total) }
}

type Shown = { state: string; request: unknown; answer: unknown; answered_at: Date | null }

function shownRequest({ state, request, answer, answered_at }: Shown): InputRequiredBlock {
  const block = request as InputRequiredBlock
  if (!answer) return state === 'waiting' ? block : { ...block, state: 'closed' }
  const given = answer as { input: unknown; input_type: string }
  const at = answered_at ? { answered_at: answered_at.toISOString() } : {}
  return { ...block, state: 'provided', ...given, ...at, ...(state === 'expired' && { by_default: true }) }
}
