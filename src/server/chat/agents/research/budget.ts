import type { RunContext } from '../../../runs/runs/runs.ts'
import { sumUsage } from '../../../runs/runs/runs.ts'
import type { AgentKit } from '../kit.ts'

/** Limits after which a research starts no further search. */
export type Budget = { searches: number; minutes: number; dollars: number }
/** The exhausted limit. */
export type UsedUp = keyof Budget

/**
 * Returns the configured budget, frozen when the run starts, so that a run that waits for weeks keeps it. The budget of an archive is
 * limited to the one configured now.
 */
export async function readBudget(run: RunContext, { config }: Pick<AgentKit, 'config'>): Promise<Budget> {
  const configured = {
    searches: config.ATRIUM_LIMIT_RESEARCH_SEARCHES,
    minutes: config.ATRIUM_LIMIT_RESEARCH_MINUTES,
    dollars: config.ATRIUM_LIMIT_RESEARCH_DOLLARS,
  }
  const frozen = await run.step('budget', async () => configured)
  if (!run.input.has_archive) return frozen
  const least = (kind: UsedUp) => {
    const value: unknown = frozen?.[kind]
    return typeof value === 'number' ? Math.min(value, configured[kind]) : configured[kind]
  }
  return { searches: least('searches'), minutes: least('minutes'), dollars: least('dollars') }
}

/** Returns the limit that is exhausted before a search, or null. The caller records the result. */
export async function findUsedUp(
  { db, clock }: Pick<AgentKit, 'db' | 'clock'>,
  run: RunContext,
  { minutes, dollars }: Budget,
  begun: string,
): Promise<UsedUp | null> {
  const elapsed = clock.now().getTime() - Date.parse(begun)
  // An archive may name a time to come, or none.
  if (!(Math.abs(elapsed) < minutes * 60_000)) return 'minutes'
  const { amount } = await sumUsage(db, run.id)
  return amount >= dollars ? 'dollars' : null
}
