import { AppError } from '#shared/platform/errors.ts'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import type { BegunCall } from './begin-call.ts'
import { followRun } from './follow-run.ts'
import { createPlainText, readAnswer, type WireAnswer } from './read-answer.ts'
import { type CallRow, findCall } from './store.ts'
import { failureOfRun, WireFailure } from './wire-failure.ts'

/** Callbacks for the output of a call. */
export type Hearing = { text: (piece: string) => void; thought: (piece: string) => void }

/**
 * Waits for a call to end and reports its output. Returns null when the caller has left; the call continues.
 * @throws AppError of the failed run, `conflict` when it waits for a person
 */
export async function awaitCall(
  deps: Deps,
  user: Caller,
  { id, messageId }: Pick<BegunCall, 'id' | 'messageId'>,
  leave: AbortSignal,
  hearing?: Hearing,
): Promise<WireAnswer | null> {
  const plain = createPlainText()
  // A caller cannot take text back, so it does not get the text of a lost attempt.
  const hearBeginning = (view: RunView | null) => {
    if (view?.content && !view.is_interrupted) hearing?.text(plain(view.content))
  }
  const hear = (event: RunEvent) => {
    if (event.event === 'task_stream_init') hearBeginning(event.view)
    if (event.event === 'response_chunk') hearing?.text(plain(event.content))
    if (event.event === 'agent_thinking') hearing?.thought(event.content)
  }
  await followRun(deps.streams, { sessionId: id, messageId }, hear, leave)
  if (leave.aborted) return null
  const call = await findCall(deps.db, user.id, id)
  if (!call) throw new AppError('not_found', 'This call is gone.')
  return readCall(deps, user, call)
}

/** Returns the answer of a call at rest. @throws AppError of the failed run, `conflict` when it waits for a person */
export async function readCall(deps: Deps, user: Caller, call: CallRow): Promise<WireAnswer> {
  const { state, paused_for, error } = call
  if (state === 'failed') throw failureOfRun(error)
  if (state === 'stopped') throw atRest('The call was stopped.')
  if (state === 'paused' && paused_for === 'budget') throw standsStill('budget_used_up', 'A budget')
  if (state === 'paused' && paused_for === 'balance') throw standsStill('insufficient_balance', 'The balance')
  if (state === 'waiting' || state === 'paused')
    throw atRest(
      'The assistant waits for its person, who finds the question in the inbox. Fetch the answer by its id afterwards.',
    )
  return readAnswer(deps, user, call)
}

/** A retry would start a second call. */
const atRest = (detail: string) =>
  new WireFailure({ status: 409, code: 'conflict', isFinal: true }, detail, 'conflict')

function standsStill(code: 'budget_used_up' | 'insufficient_balance', what: string): AppError {
  return new AppError(
    code,
    `${what} is used up. The call stands still and goes on once there is more. Then fetch its answer by its id, or send it again with the same Idempotency-Key.`,
  )
}
