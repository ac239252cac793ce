import { type Finding, findings, type HealthPart, type HealthState } from '#shared/lifecycle/health/health.ts'

/** What looking at a part came to. */
export type Found = Omit<HealthPart, 'part'>

const states = Object.keys(findings) as HealthState[]
const stateOf = new Map(states.flatMap((state) => findings[state].map((name) => [name as Finding, state])))
/** What a server or a program says of itself is shown, not kept. */
const SAID_MAX = 300

/** A finding with its state. */
export function found(finding: Finding, facts: Found['facts'] = {}): Found {
  const cut = Object.entries(facts).map(
    ([name, fact]) => [name, typeof fact === 'string' ? fact.slice(0, SAID_MAX) : fact] as const,
  )
  return { state: stateOf.get(finding) ?? 'missing', finding, facts: Object.fromEntries(cut) }
}

/** The innermost reason of a failure: a store says "try again", what it met says why. */
export function reasonOf(error: unknown): string {
  let inner = error
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause
  const { message, code } = inner as NodeJS.ErrnoException
  return (message || code || String(inner)).trim().slice(0, SAID_MAX)
}
