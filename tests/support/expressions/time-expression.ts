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
/** Milliseconds after which the search is first interrupted. */
const patience = 1500
/** CPU time in milliseconds that no linear expression needs for one input. */
const excessive = 400

/** Returns the hostile input on which an expression takes superlinear time; null if there is none. */
export function findSlowInput(source: string, flags: string): HostileInput | null {
  // Tries every position, like `replace` and `split`.
  const expression = new RegExp(source, flags.includes('g') || flags.includes('y') ? flags : `${flags}g`)
  const inputs = hostileInputs(source, flags)
  let at = 0
  let start = process.threadCpuUsage()
  const search = () => {
    for (; at < inputs.length; at += 1) {
      start = process.threadCpuUsage()
      if (isSlow(expression, inputs[at]!)) return inputs[at]!
    }
    return null
  }
  for (let limit = patience; ; limit *= 2) {
    try {
      return interruptible(search, limit)
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      // On a busy machine, time passes without work. The search continues with the same input.
      if (cpuSince(start) > excessive) return inputs[at]!
    }
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
  return cpuSince(start) / times
}

function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}

/** Runs `work`, and can interrupt it even within an expression. */
function interruptible<T>(work: () => T, milliseconds: number): T {
  return new Script('work()').runInContext(createContext({ work }), { timeout: milliseconds }) as T
}
