import type { Kysely } from 'kysely'
import type { EffectivePolicy, ToolPolicy } from '#shared/tools/tools/policy.ts'
import type { ToolContract } from '#shared/tools/tools/tool.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { listPoliciesOfCompanies } from './company-action-store.ts'
import { findPolicies } from './decision-store.ts'

export { listCompanyPolicies, storeCompanyPolicy } from './company-action-store.ts'

type Db = { db: Kysely<Tables> }
/** A tool, as far as its policy depends on it. */
type Named = {
  contract: Pick<ToolContract, 'id' | 'policy' | 'draft'>
  made?: { version: number } | undefined
}

/**
 * Returns how a tool's policy is resolved for a person and an assistant: the person's decision, then the assistant's, then
 * the tool's default. A decision for an earlier version of an own tool does not apply to a later one, so it asks.
 */
export async function loadPolicies({ db }: Db, userId: string, assistantId: string | null) {
  const resolve = await resolvePolicies({ db }, userId, assistantId)
  return ({ contract: { id, policy = 'auto', draft }, made }: Named): Omit<EffectivePolicy, 'tool_id'> =>
    resolve({ id, policy, version: made?.version ?? null, acts: draft !== undefined })
}

type Decided = {
  id: string
  policy: ToolPolicy
  version: number | null
  /** True for a tool that acts outside in the name of its person. */
  acts?: boolean
}

/** Resolves policies from only the relevant facts of a tool. */
export async function resolvePolicies({ db }: Db, userId: string, assistantId: string | null = null) {
  const [decided, ofCompanies] = await Promise.all([
    findPolicies(db, userId, assistantId),
    listPoliciesOfCompanies(db, userId),
  ])
  return ({ id, policy, version, acts = false }: Decided): Omit<EffectivePolicy, 'tool_id'> => {
    const all = decided.get(id) ?? []
    if (acts) {
      const own = all.some(({ source }) => source === 'user') ? [] : [{ policy, source: 'tool' as const }]
      const named = ofCompanies.filter(({ tool_id }) => tool_id === id)
      return strictestOf([...own, ...all, ...named.map((one) => ({ ...one, source: 'company' as const }))])
    }
    const found = all.at(-1)
    if (!found) return { policy, source: 'tool' }
    const isOutdated = version !== null && found.version !== version
    return { policy: isOutdated && found.policy === 'auto' ? 'ask' : found.policy, source: found.source }
  }
}

/** Returns the strictest of some decisions; of equal ones the last, since a company decides for good. */
function strictestOf(all: Omit<EffectivePolicy, 'tool_id'>[]): Omit<EffectivePolicy, 'tool_id'> {
  const found = (['never', 'ask', 'auto'] as const).map((one) => all.findLast(({ policy }) => policy === one))
  const { policy, source } = found.find((one) => one !== undefined) ?? { policy: 'ask', source: 'tool' }
  return { policy, source }
}
