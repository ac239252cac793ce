type Live = { isLive(): boolean; end(): void }

/** A waiting call. `turn` does a part of it and returns whether the call is complete. */
type Call<Process> = {
  turn: (process: Process) => Promise<boolean>
  signal: AbortSignal
  reject: (reason: unknown) => void
}

/** Texts of a call per turn. The limit is small so that a question does not wait for a library. */
const TEXTS_A_TURN = 4

export type Turns<Process> = {
  /** Reads texts, a few at a time. Returns one answer per text, in order. @throws errors of `ask`; the reason of `signal` */
  inTurns<Answer>(
    texts: readonly string[],
    signal: AbortSignal,
    ask: (process: Process, texts: string[]) => Promise<Answer[]>,
  ): Promise<Answer[]>
  /** Starts the process if needed. @throws errors of its start */
  warm(): Promise<void>
  /** Ends the process. It starts again when needed. */
  end(): void
}

/** Manages a process that starts when needed, does one thing at a time, and ends after `idleMs` without work. */
export function createTurns<Process extends Live>(
  start: () => Promise<Process>,
  idleMs: number,
): Turns<Process> {
  const calls: Call<Process>[] = []
  let started: Promise<Process> | null = null
  let idle: NodeJS.Timeout | undefined
  let isWorking = false

  const end = () => {
    clearTimeout(idle)
    const ending = started
    started = null
    ending?.then((process) => process.end()).catch(() => {})
  }
  const rest = () => {
    clearTimeout(idle)
    idle = setTimeout(end, idleMs)
    idle.unref()
  }
  const open = async (): Promise<Process> => {
    started ??= start().catch((error) => {
      started = null
      throw error
    })
    const opened = started
    const process = await opened
    if (process.isLive()) return process
    if (started === opened) started = null
    return open()
  }
  const takeTurn = async (call: Call<Process>): Promise<void> => {
    if (call.signal.aborted) return
    try {
      if (!(await call.turn(await open()))) calls.push(call)
    } catch (error) {
      call.reject(error)
    }
  }
  const work = async (): Promise<void> => {
    if (isWorking) return
    isWorking = true
    clearTimeout(idle)
    for (let call = calls.shift(); call; call = calls.shift()) await takeTurn(call)
    isWorking = false
    rest()
  }

  return {
    inTurns: async <Answer>(
      texts: readonly string[],
      signal: AbortSignal,
      ask: (process: Process, texts: string[]) => Promise<Answer[]>,
    ) => {
      signal.throwIfAborted()
      if (texts.length === 0) return []
      const { promise, resolve, reject } = Promise.withResolvers<Answer[]>()
      const answers: Answer[] = []
      const turn = async (process: Process) => {
        answers.push(...(await ask(process, texts.slice(answers.length, answers.length + TEXTS_A_TURN))))
        const isOver = answers.length >= texts.length
        if (isOver) resolve(answers)
        return isOver
      }
      const stop = () => reject(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      calls.push({ turn, signal, reject })
      void work()
      return promise.finally(() => signal.removeEventListener('abort', stop))
    },
    warm: async () => {
      try {
        await open()
      } finally {
        if (!isWorking) rest()
      }
    },
    end,
  }
}
