import { createContext, Script } from 'node:vm'
import { type HostileInput, hostileInputs, textOf } from './hostile-inputs.ts'

/** Lengths that are tried in turn: what doubles its steps with every character is caught by the first. */
const lengths = [28, 250, 4000]
/** A linear expression reads the longest of them in a small part of this. */
const suspicious = 0.7
/** Time at four times the length: linear is 4, quadratic is 16. */
const growth = 8.5
/** An expression that is still busy after this is none that could be measured. */
const patience = 1500

/** The hostile input on which the time of an expression grows faster than the text, or null. */
export function findSlowInput(source: string, flags: string): HostileInput | null {
  // Every place is tried, as `replace` and `split` do.
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
  const length = lengths.find((n) => timeOf(expression, textOf(input, n)) > suspicious)
  if (length === undefined) return false
  const grows = () => {
    const [once, later] = [length, 4 * length].map((n) => fastest(expression, textOf(input, n)))
    return once! > suspicious / 3 && later! / once! > growth
  }
  // A busy machine may stretch one measurement, hardly three in the same way.
  return grows() && grows() && grows()
}

function fastest(expression: RegExp, text: string): number {
  return Math.min(...[1, 2].map(() => timeOf(expression, text)))
}

/** In milliseconds of this thread alone: what else the machine does is not counted. */
function timeOf(expression: RegExp, text: string): number {
  const start = process.threadCpuUsage()
  text.replace(expression, '')
  return process.threadCpuUsage(start).user / 1000
}

/** Runs `work`, and stops it even inside of an expression. */
function interruptible<T>(work: () => T, milliseconds: number): T {
  return new Script('work()').runInContext(createContext({ work }), { timeout: milliseconds }) as T
}
