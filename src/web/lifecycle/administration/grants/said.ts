import type { NamedGrant, Who } from '#shared/identity/grants/grants.ts'

/** Decisions of one decider, by subject. */
export type Said = ReadonlyMap<string, { who: Who; effect: 'allow' | 'refuse' }>

export const keyOf = ({ who, id }: Pick<NamedGrant, 'who' | 'id'>) => `${who}:${id}`

/** Extracts a decider's decisions from the grants of a thing. */
export function readSaid(grants: readonly NamedGrant[], decidedBy: string | null): Said {
  const own = grants.filter(({ decided_by, who }) => decided_by === decidedBy && who !== 'others')
  return new Map(own.map(({ who, id, effect }) => [keyOf({ who, id }), { who: { who, id } as Who, effect }]))
}
