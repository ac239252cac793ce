import { createContext, Script } from 'node:vm'
import { type HostileInput, hostileInputs, textOf } from './hostile-inputs.ts'

/** Lengths tried in turn. Exponential time is already detected at the first. */
const lengths = [28, 250, 4000]
/** Time in milliseconds at the maximum length. A linear expression takes a small part of it. */
const suspicious = 0.7
/** Growth of the time at four times the length: linear is 4, quadratic is 16. */
const growth = 8.5
/** Runs of the shorter text, so that its CPU time spans several timer ticks; a quarter of them for the longer one. */
const repeats = 32
/** Timeout of a measurement, in milliseconds. */
const patience = 1500

/** Returns the hostile input on which an expression takes superlinear time; null if there is none. */
export function findSlowInput(source: string, flags: string): HostileInput | null {
  // Tries every position, like `replace` and `split`.
  const expression = new RegExp(source, flags.includes('g') || flags.includes('y') ? flags : `${flags}g`)
  let current: HostileInput | null = null
  const search = () => {
    for (current of hostileInputs(source, flags)) if (isSlow(expression, current)) return current
    return null
  }
  try {
    return interruptible(search, patience)
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return current
    throw error
  }
}

function isSlow(expression: RegExp, input: HostileInput): boolean {
  const length = lengths.find((n) => elapsed(expression, textOf(input, n)) > suspicious)
  if (length === undefined) return false
  const grows = () => {
    const once = timeOf(expression, textOf(input, length), repeats)
    return once > suspicious / 3 && timeOf(expression, textOf(input, 4 * length), repeats / 4) / once > growth
  }
  // A busy machine may distort one measurement, but hardly three.
  return grows() && grows() && grows()
}

/** Returns the elapsed time in milliseconds. It is never less than the CPU time, which has a resolution of some milliseconds. */
function elapsed(expression: RegExp, text: string): number {
  const start = performance.now()
  text.replace(expression, '')
  return performance.now() - start
}

/** Returns the CPU time of this thread in milliseconds, without other load of the machine, as the mean of `times` runs. */
function timeOf(expression: RegExp, text: string, times: number): number {
  const start = process.threadCpuUsage()
  for (let run = 0; run < times; run += 1) text.replace(expression, '')
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000 / times
}

/** Runs `work`, and can interrupt it even within an expression. */
function interruptible<T>(work: () => T, milliseconds: number): T {
  return new Script('work()').runInContext(createContext({ work }), { timeout: milliseconds }) as T
}
