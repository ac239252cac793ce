import { type Kysely, sql } from 'kysely'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { may, type Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
/** A stored request with the data needed to answer it. */
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
  names_approver: boolean
  approver_company_id: string | null
}

/** Finds the request of a session by name: a pending one first, else the newest. */
export function findBySession(db: Db, sessionId: string, checkpointName: string) {
  return findNewest(db, (query) =>
    query.where('session_id', '=', sessionId).where('checkpoint_name', '=', checkpointName),
  )
}

/** Finds the request of a tool call: a pending one first, else the newest. */
export function findByExecution(db: Db, executionId: string) {
  return findNewest(db, (query) => query.where('tool_execution_id', '=', executionId))
}

/** Returns a request of a run; null when it is gone. */
export async function findRequest(
  db: Db,
  { run_id, key }: Pick<FoundRequest, 'run_id' | 'key'>,
): Promise<FoundRequest | null> {
  return findNewest(db, (query) => query.where('run_id', '=', run_id).where('key', '=', key))
}

/** Returns the request a tool call is waiting on, or null. */
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

/** Returns the approval of a tool call that the approver may give; null for any other. */
export async function findApproval(
  db: Db,
  approver: Principal,
  executionId: string,
): Promise<FoundRequest | null> {
  return findNewest(db, (query) =>
    query
      .where('tool_execution_id', '=', executionId)
      .where('names_approver', '=', true)
      .where(may(approver, 'write request')),
  )
}

/** Returns whether a principal may answer a request at this moment. */
export async function isWritable(
  trx: Db,
  principal: Principal,
  { run_id, key }: Pick<FoundRequest, 'run_id' | 'key'>,
): Promise<boolean> {
  const row = await trx
    .selectFrom('input_requests')
    .select('run_id')
    .where('run_id', '=', run_id)
    .where('key', '=', key)
    .where(may(principal, 'write request'))
    .executeTakeFirst()
  return row !== undefined
}
