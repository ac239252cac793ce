import type { RoleName } from '../accounts/accounts.ts'

/** Things that can be granted: a model, a tool, a database, an assistant or a feature. */
export type ThingKind = 'model' | 'tool' | 'assistant' | 'feature' | 'database'

/** One row of the grants table. */
export type Grant = {
  /** Company that decides for its own members; null for the installation. */
  decided_by: string | null
  effect: 'allow' | 'refuse'
  who: 'role' | 'company' | 'group' | 'nobody'
  /** The role, or the id of the company or group; empty for `nobody`. */
  id: string
}

/** A person's role in each company, and their groups. */
export type Standing = { companies: { id: string; role: RoleName }[]; groups: string[] }

/**
 * Reason of a decision. `open`: no grant names anybody. `named`: these grants name the person. `refused`: this grant refuses them.
 * `not_named`: the installation or this company names others, but not this person.
 */
export type Because =
  | { reason: 'open' }
  | { reason: 'named'; grants: Grant[] }
  | { reason: 'refused'; grants: Grant[] }
  | { reason: 'not_named'; decided_by: string | null }

export type Decision = { may: boolean; because: Because }

/**
 * Decides whether a person may use a thing. A refusal wins; otherwise a thing is open until a grant names somebody, and then only for
 * those named. The installation and each of the person's companies decide; all must agree, so a company can only narrow access.
 */
export function decide({ companies, groups }: Standing, grants: readonly Grant[]): Decision {
  const deciders = [null, ...companies.map(({ id }) => id)]
  const counted = grants.filter(({ decided_by }) => deciders.includes(decided_by))
  const naming = counted.filter((grant) => names(grant))
  const refusing = naming.filter(({ effect }) => effect === 'refuse')
  if (refusing.length > 0) return { may: false, because: { reason: 'refused', grants: refusing } }
  const allowing = naming.filter(({ effect }) => effect === 'allow')
  const restricting = deciders.filter((decider) =>
    counted.some(({ effect, decided_by }) => effect === 'allow' && decided_by === decider),
  )
  const against = restricting.find((decider) => !allowing.some(({ decided_by }) => decided_by === decider))
  if (against !== undefined) return { may: false, because: { reason: 'not_named', decided_by: against } }
  if (restricting.length === 0) return { may: true, because: { reason: 'open' } }
  return { may: true, because: { reason: 'named', grants: allowing } }

  function names({ decided_by, who, id }: Grant): boolean {
    if (who === 'group') return groups.includes(id)
    if (who === 'company') return companies.some((company) => company.id === id)
    if (who === 'nobody') return false
    // In a company's grant, a role means the role in that company.
    return companies.some(
      (company) => company.role === id && (decided_by === null || company.id === decided_by),
    )
  }
}
