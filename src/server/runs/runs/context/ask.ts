import { AppError } from '#shared/platform/errors.ts'
import { type LiveRun, takeKey } from './live-run.ts'
import type { Answer, Expired, Question } from './run-context.ts'

const NO_ANSWER = 'No answer was given in time.'

/** Returns the name of the position at which a run waits for an answer. */
export function waitingName(key: string): string {
  const at = key.lastIndexOf('/') + 1
  const name = key.slice(at)
  return name.includes('waiting_for_input') ? key : `${key.slice(0, at)}waiting_for_input_${name}`
}

/** Waits for an answer; see `RunContext.ask`. `checkpoint` commits a named position. */
export async function ask(
  run: LiveRun,
  key: string,
  question: Question,
  checkpoint: (name: string, kind: string) => Promise<void>,
): Promise<Answer> {
  takeKey(run, `ask:${key}`)
  const name = waitingName(key)
  await checkpoint(name, 'waiting_for_input')
  const answer = await findAnswer(run, key, question)
  if ('expired' in answer) throw new AppError('no_answer', NO_ANSWER)
  await checkpoint(`${name}_with_input`, 'with_input')
  return answer
}

function findAnswer(run: LiveRun, key: string, question: Question): Promise<Answer | Expired> {
  const recorded = run.records.get(`answer:${key}`)
  if (recorded) return Promise.resolve(recorded.value as Answer | Expired)
  const { signal } = run.abort
  return new Promise((resolve, reject) => {
    // A stopped run has nothing to wait for; a released one resumes on another process.
    const end = () => {
      if (run.ending === 'stop' || run.ending === 'time') reject(signal.reason)
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
    run.asks.push({ key, question, resolve })
    whenIdle(run)
  })
}

/** Calls `onIdle` when no step is active. Agent code between two steps takes one turn of the event loop. */
export function whenIdle(run: LiveRun): void {
  setImmediate(() => {
    if (run.steps.size === 0) run.onIdle()
  })
}

/** Runs `work` and prevents the run from being parked meanwhile. */
export async function busy<T>(run: LiveRun, key: string, work: () => Promise<T>): Promise<T> {
  run.steps.add(key)
  try {
    return await work()
  } finally {
    run.steps.delete(key)
    whenIdle(run)
  }
}
