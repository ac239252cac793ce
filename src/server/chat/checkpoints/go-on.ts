import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkpointIdOf } from '#shared/chat/checkpoints/checkpoint-id.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { AgentType } from '#shared/runs/runs/agent-type.ts'
import { assertBalance } from '../../money/billing/billing.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { assertIdle, findRunOfMessage, goOn, loadRested, startFork } from '../../runs/runs/runs.ts'
import { attachBegun } from '../../runs/streams/streams.ts'
import type { Deps } from '../../tools/deps.ts'
import { planImported } from './plan-imported.ts'
import { type CheckpointRow, findOfRun, findResumedAt } from './store.ts'

type Call = { sessionId: string; user: Caller; request: FastifyRequest; reply: FastifyReply }
type Target = {
  checkpoint_name?: string | null
  message_id?: string | null
  checkpoint_hint?: string | null
}

/**
 * Returns to a checkpoint of the run that wrote a message: streams a new run that continues from there on a new
 * branch. @throws AppError `invalid`, `not_found`, `session_busy`, `insufficient_balance`
 */
export async function returnTo(deps: Deps, call: Call, target: Target): Promise<void> {
  const { engine, streams } = deps
  const { sessionId, user, request, reply } = call
  const { checkpoint_name, message_id, checkpoint_hint } = target
  if (!checkpoint_name || !message_id) {
    throw new AppError('invalid', 'Cannot navigate to checkpoint: Missing required information')
  }
  await assertIdle(deps.db, sessionId)
  const runId = await findWriter(deps, sessionId, message_id)
  const rows = (await findOfRun(deps.db, runId)).filter(({ name }) => name === checkpoint_name)
  const row = rows.find((row) => checkpointIdOf(row) === checkpoint_hint) ?? rows[0]
  if (!row) throw new AppError('not_found', 'Checkpoint not found')
  const plan = await planImported(deps, user, row)
  await startFork(engine, sessionId, {
    place: placeOf(row),
    messageId: message_id,
    ...(plan && { plan }),
    beforeFirst: (run) => {
      void attachBegun(streams, run, streams.readers.open(request, reply, sessionId))
    },
  })
}

const placeOf = (row: CheckpointRow) => ({
  ...{ runId: row.run_id, position: row.position, id: checkpointIdOf(row), name: row.name },
})

async function findWriter({ db }: Deps, sessionId: string, messageId: string): Promise<string> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(messageId)
  const run = isId ? await findRunOfMessage(db, messageId) : null
  if (run?.session_id === sessionId) return run.id
  throw new AppError('not_found', 'Target message for checkpoint navigation not found')
}

type Wish = { checkpoint?: string | null; agent_type?: AgentType | null }

/**
 * Resumes the paused run of the active branch from its latest checkpoint. An older checkpoint creates a branch and ends
 * the paused run with its partial text. Concurrent requests share one run.
 * @throws AppError `conflict`, `not_found`, `session_busy`, `insufficient_balance`
 */
export async function resumeTask(deps: Deps, sessionId: string, user: Caller, wish: Wish): Promise<string> {
  const { engine } = deps
  const latest = (await loadRested(deps.db, sessionId))?.row
  const rows = latest ? await findOfRun(deps.db, latest.id) : []
  // Read after its checkpoints, because a concurrent resume adds new ones.
  const run = latest && (await findRunOfMessage(deps.db, latest.message_id))
  // Another request queued it, and a worker will resume it soon.
  if (run?.state === 'queued' && run.paused_for !== null && !wish.checkpoint) return GOES_ON
  const resumedAt = run?.state === 'running' ? await findResumedAt(deps.db, run.id) : null
  if (!run || (run.state !== 'paused' && resumedAt === null)) {
    throw new AppError('conflict', 'No paused task to resume')
  }
  if (wish.agent_type && wish.agent_type !== run.agent_type) {
    throw new AppError('conflict', `This task runs as ${run.agent_type} and can only be resumed as that.`)
  }
  const { checkpoint } = wish
  const row = checkpoint
    ? rows.find((row) => checkpointIdOf(row) === checkpoint || row.name === checkpoint)
    : rows.find(({ name }) => resumedAt === null || name === resumedAt)
  if (!row) throw new AppError('not_found', 'Checkpoint not found')
  // Another request resumed from the same checkpoint first.
  if (row.name === resumedAt) return GOES_ON
  if (row !== rows[0] || resumedAt !== null) {
    const plan = await planImported(deps, user, row)
    await startFork(engine, sessionId, {
      ...{ place: placeOf(row), messageId: run.message_id, replaces: run, ...(plan && { plan }) },
    })
    return 'The task goes on from that checkpoint, as a new branch.'
  }
  await assertBalance(deps, user.id)
  if (!(await goOn(engine, run))) await untilGoesOn(deps, run.message_id)
  return GOES_ON
}

const PATIENCE_MS = 3_000

/** Waits until another process has resumed the run, so that the caller can follow it. */
async function untilGoesOn({ db }: Deps, messageId: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while ((await findRunOfMessage(db, messageId))?.state === 'paused') {
    if (performance.now() > deadline) {
      throw new AppError('unavailable', 'The server is restarting. Try again in a moment.')
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const GOES_ON = 'The task goes on.'
