import { type Finding, findings, type HealthPart, type HealthState } from '#shared/lifecycle/health/health.ts'

/** The result of checking one part. */
export type Found = Omit<HealthPart, 'part'>

const states = Object.keys(findings) as HealthState[]
const stateOf = new Map(states.flatMap((state) => findings[state].map((name) => [name as Finding, state])))
/** Maximum length of a quoted message of a server or program. */
const SAID_MAX = 300

export function found(finding: Finding, facts: Found['facts'] = {}): Found {
  const cut = Object.entries(facts).map(
    ([name, fact]) => [name, typeof fact === 'string' ? fact.slice(0, SAID_MAX) : fact] as const,
  )
  return { state: stateOf.get(finding) ?? 'missing', finding, facts: Object.fromEntries(cut) }
}

/** Returns the innermost cause of an error: outer messages often only say "try again". */
export function reasonOf(error: unknown): string {
  let inner = error
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause
  const { message, code } = inner as NodeJS.ErrnoException
  return (message || code || String(inner)).trim().slice(0, SAID_MAX)
}
