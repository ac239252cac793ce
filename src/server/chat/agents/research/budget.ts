import type { RunContext } from '../../../runs/runs/runs.ts'
import { sumUsage } from '../../../runs/runs/runs.ts'
import type { AgentKit } from '../kit.ts'

/** What a research may take before it begins no further search. */
export type Budget = { searches: number; minutes: number; dollars: number }
/** Which part of it is used up. */
export type UsedUp = keyof Budget

/** The budget as the settings are when the run begins: a run that waits for weeks keeps the one it stated. */
export function readBudget(run: RunContext, { config }: Pick<AgentKit, 'config'>): Promise<Budget> {
  return run.step('budget', async () => ({
    searches: config.ATRIUM_LIMIT_RESEARCH_SEARCHES,
    minutes: config.ATRIUM_LIMIT_RESEARCH_MINUTES,
    dollars: config.ATRIUM_LIMIT_RESEARCH_DOLLARS,
  }))
}

/** What of it was used up when a search was about to begin; null while there is some of everything. Recorded by the caller. */
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
