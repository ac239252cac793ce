import type { Selectable } from 'kysely'
import type { ToolBlock, ToolStatus } from '#shared/runs/runs/blocks.ts'
import type { ToolExecution } from '#shared/tools/tools/tools.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { findWaitingRequest } from '../../runs/input-requests/input-requests.ts'
import { foldToolBlock } from '../../runs/streams/streams.ts'
import type { Deps } from '../deps.ts'

type ExecutionRow = Selectable<Tables['tool_executions']>

/** Returns the current state of an execution on any process. Once it has ended, the row is authoritative. */
export async function readExecution(deps: Deps, row: ExecutionRow): Promise<ToolExecution> {
  const { id, tool_id, run_id, session_id, finished_at } = row
  const block = await foldToolBlock(deps.engine, row)
  return {
    ...{ id, tool_id, run_id, session_id, status: statusOf(row, block), events: block?.events ?? [] },
    input: block?.input_ref ? row.input : (block?.input ?? row.input),
    ...{ result: row.result ?? block?.result ?? null },
    error: row.error ?? block?.error ?? null,
    request: finished_at === null ? await findWaitingRequest(deps.db, id) : null,
    created_at: row.created_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  }
}

function statusOf(row: ExecutionRow, block: ToolBlock | null): ToolStatus {
  const stored = row.status as ToolStatus
  return row.finished_at === null ? (block?.status ?? stored) : stored
}
