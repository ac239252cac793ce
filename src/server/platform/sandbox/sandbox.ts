import { join } from 'node:path'
import { AppError } from '#shared/platform/errors.ts'
import type { CodeReadiness } from '#shared/tools/tools/code-readiness.ts'
import type { Config } from '../config/config.ts'
import { MEGABYTE } from '../limits.ts'
import { createPlaces } from '../parsing/places.ts'
import { makeOwnFolder } from '../process/own-folder.ts'
import { runInBox } from './box.ts'
import { type BoxCommand, findPrograms, pythonInBox } from './bubblewrap.ts'
import {
  type BoxBounds,
  type CodeJob,
  type CodeOutcome,
  type Language,
  languages,
  type Stream,
} from './job.ts'
import { probeLanguage } from './probe-box.ts'
import { javascriptInBox } from './quickjs.ts'

export type { CodeJob, CodeOutcome, InputFile, Language } from './job.ts'

/** Runs untrusted programs, each in a box that ends with it. */
export type Sandbox = {
  /** Returns the available languages and whether their boxes are safe. Tests them once. */
  probe(): Promise<CodeReadiness[]>
  /** Returns the same without testing; null before the first test. */
  readiness(): CodeReadiness[] | null
  /**
   * Runs one program. `use` receives the outcome and its files, which are deleted afterwards. Waits for a free place.
   * @throws AppError `not_available` if its box is unsafe; the reason of `signal`
   */
  run<T>(job: CodeJob, options: RunOptions<T>): Promise<T>
  /** Ends running programs. */
  close(): Promise<void>
}

export type RunOptions<T> = {
  signal: AbortSignal
  /** Receives output as it is printed. */
  say?: (stream: Stream, text: string) => void
  use: (outcome: CodeOutcome) => Promise<T>
}

export function createSandbox(config: Config, programs = findPrograms()): Sandbox {
  const bounds = readBounds(config)
  const work = join(config.dataDir, 'work')
  const places = createPlaces(config.ATRIUM_LIMIT_CODE_AT_ONCE)
  const closing = new AbortController()
  let wall = programs.bubblewrap
  const command = (language: Language, own: BoxBounds): BoxCommand =>
    language === 'python'
      ? pythonInBox(programs, own, [config.dataDir])
      : javascriptInBox({ bubblewrap: wall, hidden: [config.dataDir] })
  const running = new Set<Promise<unknown>>()
  const perform = async <T>(job: CodeJob, { signal, say = () => undefined, use }: RunOptions<T>) => {
    const { path: folder, remove } = makeOwnFolder(work, 'box')
    try {
      const own = { ...bounds, ...job.bounds }
      const ends = AbortSignal.any([signal, closing.signal])
      const box = runInBox(command(job.language, own), job, {
        bounds: own,
        folder,
        signal: ends,
        say,
      })
      running.add(box)
      const outcome = await box.finally(() => running.delete(box))
      return await use(outcome)
    } finally {
      await remove()
    }
  }
  const tryOut = (language: Language) =>
    probeLanguage(language, programs, (code, bounds) =>
      perform(
        { language, code, files: [], bounds },
        { signal: AbortSignal.timeout(60_000), use: async (outcome) => outcome },
      ),
    )
  /** JavaScript runs without the second layer on machines where that does not work. */
  const tryLanguage = async (language: Language) => {
    const walled = await tryOut(language)
    if (language !== 'javascript' || walled.ok || wall === null) return walled
    wall = null
    return tryOut('javascript')
  }
  let probed: Promise<CodeReadiness[]> | null = null
  let known: CodeReadiness[] | null = null
  const probe = () => {
    clearTimeout(timer)
    probed ??= Promise.all(languages.map(tryLanguage)).then((tried) => {
      known = tried
      return tried
    })
    return probed
  }
  // Delayed unless someone needs it earlier, because page loads come first.
  const timer = setTimeout(probe, config.ATRIUM_LIMIT_CODE_TRIAL_SECONDS * 1000).unref()
  return {
    probe,
    readiness: () => known,
    run: async (job, options) => {
      const { ok, trouble } = (await probe()).find(({ language }) => language === job.language) ?? {}
      if (!ok) throw new AppError('not_available', trouble ?? 'This language cannot be run here.')
      await places.enter(options.signal)
      try {
        return await perform(job, options)
      } finally {
        places.leave()
      }
    },
    close: async () => {
      clearTimeout(timer)
      closing.abort(new Error('The server is stopping.'))
      await Promise.allSettled(running)
    },
  }
}

function readBounds(config: Config): BoxBounds {
  return {
    wallSeconds: config.ATRIUM_LIMIT_CODE_SECONDS,
    cpuSeconds: config.ATRIUM_LIMIT_CODE_SECONDS,
    memory: config.ATRIUM_LIMIT_CODE_MB * MEGABYTE,
    processes: 32,
    disk: config.ATRIUM_LIMIT_CODE_FILES_MB * MEGABYTE,
    files: 100,
    output: 64 * 1024,
  }
}
