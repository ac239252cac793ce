import { type ChildProcess, fork } from 'node:child_process'
import { ownModulesOnly } from '../../../platform/process/own-modules.ts'
import { ModelError } from '../port.ts'
import { sentenceFor } from '../wire/failures.ts'

/** Messages of every process that runs a model. It says `ready` once, before the first request. */
export type Said =
  | { kind: 'ready' }
  | { kind: 'refused'; reason: string }
  | { kind: 'failed'; reason: string }

/** A process that runs a model and answers one request at a time. */
export type ModelProcess<Ask, Answer> = {
  isLive(): boolean
  /** @throws ModelError */
  ask(question: Ask): Promise<Answer>
  end(): void
}

/** Timeout for loading or creating a model, or for a few texts, on a busy machine. */
const PATIENCE_MS = 60_000
/** Environment variables that the process gets. Others may be secrets. */
const kept = ['PATH', 'SystemRoot', 'TMPDIR', 'TEMP', 'NODE_COMPILE_CACHE', 'LD_LIBRARY_PATH']

/**
 * Starts a script and waits for its first message. Returns null when that is not `ready`; the process has then ended.
 * @throws ModelError: `not_available` with the reason when this machine cannot run it, otherwise another kind
 */
export async function startModelProcess<Ask extends object, Answer extends { kind: string }>(
  script: URL,
  given: string,
): Promise<ModelProcess<Ask, Answer | Said> | null> {
  const child = forkChild(script, given)
  const said = await answerOf<Answer | Said>(child, () => {}).catch((error) => {
    const isBroken = child.exitCode !== null || (child.signalCode !== null && child.signalCode !== 'SIGKILL')
    child.kill('SIGKILL')
    // A killed process may succeed later; one that exits or crashes would do so again.
    throw isBroken ? notAvailable((error as Error).message) : error
  })
  if (said.kind === 'ready') return processOf(child)
  child.kill('SIGKILL')
  if ('reason' in said && said.kind === 'refused') throw notAvailable(said.reason)
  return null
}

export const notAvailable = (reason: string) =>
  new ModelError('not_available', sentenceFor('not_available', reason))

/** Returns an answer of the wanted kind. @throws ModelError when it has another kind */
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

/** Returns the next message of the process. */
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
  // Errors after an answer surface at the next request.
  child.on('error', () => {})
  return child
}

/** Lets this process exit while the child runs. */
function letGo(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}
