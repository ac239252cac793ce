import { type Kysely, sql } from 'kysely'
import { previewOfReply } from '#shared/chat/sessions/preview.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import { toolError } from '#shared/tools/tools/tool-errors.ts'
import { bytesOfRun, grownBy } from '../../../money/storage/storage.ts'
import { cleanCharacters, toJson } from '../../../platform/db/db.ts'
import type { PausedFor } from '../../../platform/db/money-tables.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { type Holder, LostRunError } from '../journal/journal-record.ts'
import type { RunFailure } from '../reply.ts'
import { activeStates } from '../store.ts'

type Trx = Kysely<Tables>

export type Outcome = {
  state: 'completed' | 'failed' | 'stopped' | 'waiting' | 'paused'
  view: RunView
  error: RunFailure | null
  pendingInput: Record<string, unknown> | null
  pausedFor?: PausedFor | null
  /** The budget that paused the run. */
  pausedBudget?: string | null
  /** How long the run had an owner, in milliseconds. */
  held: number
}

/** The session state for each way a run can come to rest. */
const sessionOf = {
  completed: { status: 'COMPLETED', agent_status: 'completed' },
  stopped: { status: 'COMPLETED', agent_status: 'completed' },
  failed: { status: 'FAILED', agent_status: 'error' },
  waiting: { status: 'active', agent_status: 'paused' },
  paused: { status: 'active', agent_status: 'paused' },
} as const

const messageStatusOf = {
  ...{ completed: 'completed', stopped: 'completed', failed: 'error' },
  ...{ waiting: 'streaming', paused: 'streaming' },
} as const

/** Brings an owned run to rest: run, message and session change together. @throws LostRunError */
export async function settleRun(trx: Trx, holder: Holder, outcome: Outcome, now: Date): Promise<void> {
  const { state, view } = outcome
  const preview = cleanCharacters(previewOfReply(view))
  const isOver = state === 'completed' || state === 'failed' || state === 'stopped'
  const content = cleanCharacters(view.content)
  const blocks = toJson(view.blocks)
  const bytes = Buffer.byteLength(content) + Buffer.byteLength(blocks)
  await trx
    .updateTable('sessions')
    .set({
      ...sessionOf[state],
      updated_at: now,
      pending_input: outcome.pendingInput ? toJson(outcome.pendingInput) : null,
      ...(preview ? { preview } : {}),
      // A run ends once and is counted only then.
      ...(isOver ? { stored_bytes: grownBy(sql`${bytes} + ${bytesOfRun(holder.runId)}`) } : {}),
    })
    .where('id', '=', view.session_id)
    .execute()
  const held = await trx
    .updateTable('runs')
    .set((row) => ({
      ...{ state, owner: null, pause_requested: false, paused_for: outcome.pausedFor ?? null },
      paused_budget: outcome.pausedBudget ?? null,
      worked_ms: row('worked_ms', '+', outcome.held),
      error: outcome.error ? toJson(outcome.error) : null,
      finished_at: isOver ? now : null,
      ...(isOver
        ? { stored_bytes: sql`case kind when 'tool' then ${bytesOfRun(holder.runId)} else 0 end` }
        : {}),
    }))
    .where('id', '=', holder.runId)
    .where('owner', '=', holder.owner)
    .where('epoch', '=', holder.epoch)
    .returning('message_id')
    .executeTakeFirst()
  if (!held) throw new LostRunError(holder.runId)
  if (held.message_id === null) return
  await trx
    .updateTable('runs')
    .set({ state, owner: null, finished_at: isOver ? now : null })
    .where('parent_run_id', '=', holder.runId)
    .where('state', 'in', activeStates)
    .execute()
  await trx
    .updateTable('messages')
    .set({
      content,
      blocks,
      status: messageStatusOf[state],
      ...(isOver ? { metadata: endedWith(view) } : {}),
    })
    .where('id', '=', held.message_id)
    .execute()
}

/** Ends unfinished calls when their run or its parent is over. */
export async function endToolExecutions(trx: Trx, runId: string, now: Date): Promise<void> {
  const family = trx
    .selectFrom('runs')
    .select('id')
    .where((row) => row.or([row('id', '=', runId), row('parent_run_id', '=', runId)]))
  await trx
    .updateTable('tool_executions')
    .set({ status: 'error', error: toolError('ended'), finished_at: now })
    .where('run_id', 'in', family)
    .where('finished_at', 'is', null)
    .execute()
}

/** Returns the message metadata about the end of its run. */
function endedWith({ stopped, usage }: RunView) {
  return sql<string>`metadata || ${toJson({ stopped, ...(usage && { usage }) })}::jsonb`
}
