import type { RoleName } from '../accounts/accounts.ts'

/** What may be granted: a model, a tool, an assistant, or a feature of the product. */
export type ThingKind = 'model' | 'tool' | 'assistant' | 'feature'

/** One line of the table of grants. */
export type Grant = {
  /** The company that decides for its own people; null: the house. */
  decided_by: string | null
  effect: 'allow' | 'refuse'
  who: 'role' | 'company' | 'group' | 'nobody'
  /** The role, or the id of the company or group; empty for nobody. */
  id: string
}

/** Where somebody stands: their part in each company, and their groups. */
export type Standing = { companies: { id: string; role: RoleName }[]; groups: string[] }

/**
 * Why somebody may use a thing or not. `open`: nobody is named for it. `named`: these name them. `refused`: this one refuses them.
 * `not_named`: others are named for it, by the house or by this company, and they are not.
 */
export type Because =
  | { reason: 'open' }
  | { reason: 'named'; grants: Grant[] }
  | { reason: 'refused'; grants: Grant[] }
  | { reason: 'not_named'; decided_by: string | null }

export type Decision = { may: boolean; because: Because }

/**
 * The one decision. A refusal wins; else a thing is everybody's until somebody is named for it, and then theirs who are named. The house
 * decides so, and each company somebody belongs to once more for its own people: all of them must agree, so a company only narrows.
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
    // What a company says of a role it says of that role in the company.
    return companies.some(
      (company) => company.role === id && (decided_by === null || company.id === decided_by),
    )
  }
}
