import type { RunContext } from '../../../runs/runs/runs.ts'
import { sumUsage } from '../../../runs/runs/runs.ts'
import type { AgentKit } from '../kit.ts'

/** Limits after which a research starts no further search. */
export type Budget = { searches: number; minutes: number; dollars: number }
/** The exhausted limit. */
export type UsedUp = keyof Budget

/** Returns the configured budget, frozen when the run starts, so that a run that waits for weeks keeps it. */
export function readBudget(run: RunContext, { config }: Pick<AgentKit, 'config'>): Promise<Budget> {
  return run.step('budget', async () => ({
    searches: config.ATRIUM_LIMIT_RESEARCH_SEARCHES,
    minutes: config.ATRIUM_LIMIT_RESEARCH_MINUTES,
    dollars: config.ATRIUM_LIMIT_RESEARCH_DOLLARS,
  }))
}

/** Returns the limit that is exhausted before a search, or null. The caller records the result. */
export async function findUsedUp(
  { db, clock }: Pick<AgentKit, 'db' | 'clock'>,
  run: RunContext,
  { minutes, dollars }: Budget,
  begun: string,
): Promise<UsedUp | null> {
  if (clock.now().getTime() - Date.parse(begun) >= minutes * 60_000) return 'minutes'
  const { amount } = await sumUsage(db, run.id)
  return amount >= dollars ? 'dollars' : null
}
