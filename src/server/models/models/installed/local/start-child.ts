import { type ChildProcess, fork } from 'node:child_process'
import { sayTrouble } from '#shared/models/connections/provider-trouble.ts'
import { memoryOf } from '../../../../platform/parsing/memory.ts'
import { codeUrl } from '../../../../platform/process/checkout.ts'
import { modulesOfAlso } from '../../../../platform/process/own-modules.ts'
import { ModelError } from '../../port.ts'
import type { Said } from '../../process/model-process.ts'
import type { ChildTerms } from './local-child.ts'

/** Startup timeout: a slow disk may need minutes for a file of several gigabytes. */
const START_MS = 5 * 60_000
const LOOK_EVERY_MS = 500
/** Time after which a process that does not end is killed. */
const END_MS = 2_000
const kept = ['PATH', 'SystemRoot', 'TMPDIR', 'TEMP', 'LD_LIBRARY_PATH', 'HOME']

/** A process that runs one model and listens on a socket. */
export type LocalProcess = {
  isLive(): boolean
  /** Returns the reason if the process was killed for its memory, otherwise null. */
  excess(): string | null
  /** Ends the process, and resolves when it has exited. */
  end(): Promise<void>
}

/**
 * Starts the low-priority process of a model. It is killed when it uses more memory than `maxBytes`, and ends together with this
 * process. @throws ModelError `not_available` if this machine cannot run the model, `interrupted` if the process was killed
 */
export async function startLocalProcess(terms: ChildTerms, maxBytes: number): Promise<LocalProcess> {
  const script = codeUrl('src/server/models/models/installed/local/local-child.ts')
  const child = fork(script, [JSON.stringify(terms)], {
    env: Object.fromEntries(kept.map((name) => [name, process.env[name]])),
    execArgv: [...modulesOfAlso(terms.engine), '--max-old-space-size=1024'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const excess = watchMemory(child, maxBytes)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  try {
    await readyOf(child, excess)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  child.unref()
  child.channel?.unref()
  const isLive = () => child.connected && child.exitCode === null && child.signalCode === null
  return {
    isLive,
    excess,
    end: async () => {
      if (child.connected) child.disconnect()
      const late = setTimeout(() => child.kill('SIGKILL'), END_MS).unref()
      await exited.finally(() => clearTimeout(late))
    },
  }
}

/** Returns the reason for which a model of more than `maxBytes` cannot run. */
export const sayExcess = (maxBytes: number): string =>
  `it needs more than ${Math.round(maxBytes / 1024 / 1024)} MB of memory (ATRIUM_LOCAL_MODEL_MB)`

const notAvailable = (reason: string) => new ModelError('not_available', sayTrouble('not_available', reason))

/** Waits until the process listens. `excess` returns the reason if it was killed for its memory, otherwise null. */
async function readyOf(child: ChildProcess, excess: () => string | null): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  child.once('message', (said: Said) => {
    if (said.kind === 'ready') resolve()
    else reject(notAvailable(said.reason))
  })
  child.once('exit', (code, signal) => {
    const problem = excess()
    // A process killed from outside may be retried; one that exits by itself would exit again.
    if (signal === 'SIGKILL' && problem === null)
      return reject(
        new ModelError('interrupted', sayTrouble('interrupted', 'the process of the model ended')),
      )
    reject(notAvailable(problem ?? `its process ended (${signal ?? code})`))
  })
  child.once('error', (error) => reject(notAvailable(error.message)))
  const late = setTimeout(() => reject(notAvailable('it was not loaded in time')), START_MS)
  await promise.finally(() => clearTimeout(late))
  child.on('error', () => {})
}

/** Kills a process that exceeds `maxBytes`. Returns a function that gives the reason, or null. */
function watchMemory(child: ChildProcess, maxBytes: number): () => string | null {
  let problem: string | null = null
  const look = setInterval(() => {
    if (!child.pid || memoryOf(child.pid) <= maxBytes) return
    problem = sayExcess(maxBytes)
    child.kill('SIGKILL')
  }, LOOK_EVERY_MS).unref()
  child.once('exit', () => clearInterval(look))
  return () => problem
}
