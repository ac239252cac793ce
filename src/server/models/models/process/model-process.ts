import { type ChildProcess, fork } from 'node:child_process'
import { ownModulesOnly } from '../../../platform/process/own-modules.ts'
import { ModelError } from '../port.ts'
import { sentenceFor } from '../wire/failures.ts'

/** What every process that runs a model may say; it says `ready` once, before it is asked. */
export type Said =
  | { kind: 'ready' }
  | { kind: 'refused'; reason: string }
  | { kind: 'failed'; reason: string }

/** A process that runs a model; asked for one thing at a time. */
export type ModelProcess<Ask, Answer> = {
  isLive(): boolean
  /** @throws ModelError */
  ask(question: Ask): Promise<Answer>
  end(): void
}

/** Loading a model or making it, and a handful of texts, on a machine that is busy. */
const PATIENCE_MS = 60_000
/** Nothing else of the environment goes into it: there are keys among it. */
const kept = ['PATH', 'SystemRoot', 'TMPDIR', 'TEMP', 'NODE_COMPILE_CACHE', 'LD_LIBRARY_PATH']

/**
 * Starts a script and waits for its first word; null when that is another one than `ready`, after which it is over.
 * @throws ModelError `not_available` with the reason when this machine cannot, or another one
 */
export async function startModelProcess<Ask extends object, Answer extends { kind: string }>(
  script: URL,
  given: string,
): Promise<ModelProcess<Ask, Answer | Said> | null> {
  const child = forkChild(script, given)
  const said = await answerOf<Answer | Said>(child, () => {}).catch((error) => {
    const isBroken = child.exitCode !== null || (child.signalCode !== null && child.signalCode !== 'SIGKILL')
    child.kill('SIGKILL')
    // What is killed was in somebody's way; what ends by itself would do so again.
    throw isBroken ? notAvailable((error as Error).message) : error
  })
  if (said.kind === 'ready') return processOf(child)
  child.kill('SIGKILL')
  if ('reason' in said && said.kind === 'refused') throw notAvailable(said.reason)
  return null
}

export const notAvailable = (reason: string) =>
  new ModelError('not_available', sentenceFor('not_available', reason))

/** What was wanted of an answer. @throws ModelError when it is something else */
export function asWanted<Answer extends { kind: string }, Kind extends Answer['kind']>(
  answer: Answer,
  kind: Kind,
): Extract<Answer, { kind: Kind }> {
  if (answer.kind === kind) return answer as Extract<Answer, { kind: Kind }>
  const reason = 'reason' in answer ? String(answer.reason) : answer.kind
  throw new ModelError('invalid_answer', sentenceFor('invalid_answer', reason))
}

function processOf<Ask extends object, Answer>(child: ChildProcess): ModelProcess<Ask, Answer> {
  letGo(child)
  return {
    isLive: () => child.connected,
    ask: async (question) => {
      child.channel?.ref()
      try {
        return await answerOf<Answer>(child, () => child.send(question, () => {}))
      } catch (error) {
        if (error instanceof ModelError && error.kind === 'timeout') child.kill('SIGKILL')
        throw error
      } finally {
        letGo(child)
      }
    },
    end: () => {
      if (child.connected) child.disconnect()
    },
  }
}

/** The next thing it says. */
async function answerOf<Answer>(child: ChildProcess, ask: () => void): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const onMessage = (message: unknown) => resolve(message as Answer)
  const onExit = (code: number | null, signal: string | null) =>
    reject(new ModelError('interrupted', sentenceFor('interrupted', `its process ended (${signal ?? code})`)))
  const onError = (error: Error) =>
    reject(new ModelError('unreachable', sentenceFor('unreachable'), { cause: error }))
  const late = setTimeout(() => reject(new ModelError('timeout', sentenceFor('timeout'))), PATIENCE_MS)
  child.once('message', onMessage).once('exit', onExit).once('error', onError)
  try {
    if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode)
    else ask()
    return await promise
  } finally {
    clearTimeout(late)
    child.off('message', onMessage).off('exit', onExit).off('error', onError)
  }
}

function forkChild(script: URL, given: string): ChildProcess {
  const child = fork(script, [given], {
    env: Object.fromEntries(kept.map((name) => [name, process.env[name]])),
    execArgv: [...ownModulesOnly, '--max-old-space-size=192'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // What goes wrong with it after an answer is seen with the next question.
  child.on('error', () => {})
  return child
}

/** It keeps nobody from ending. */
function letGo(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}
