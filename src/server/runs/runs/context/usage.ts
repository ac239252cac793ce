import type { RunUsage } from '#shared/runs/runs/usage.ts'
import type { Engine } from '../engine.ts'
import type { PricedBill } from './bills.ts'
import type { LiveRun } from './live-run.ts'
import { sumUsage } from './usage-store.ts'

/** Returns how long this process has owned a run, in milliseconds. */
export function heldFor({ heldSince }: LiveRun): number {
  return Math.round(performance.now() - heldSince)
}

/** Returns the usage of a run, including calls booked together with its end. */
export async function usageOf(engine: Engine, run: LiveRun, booked: PricedBill[]): Promise<RunUsage> {
  const { worked_ms, ...before } = await sumUsage(engine.deps.db, run.id)
  const seconds = Math.round((worked_ms + heldFor(run)) / 100) / 10
  const sum = { ...before, seconds }
  for (const { usage, price } of booked) {
    sum.calls += 1
    sum.input_tokens += usage.input_tokens
    sum.output_tokens += usage.output_tokens
    sum.amount += price.amount
    sum.unpriced ||= price.unpriced
    sum.estimated ||= usage.estimated
  }
  return sum
}
