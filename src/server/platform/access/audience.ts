import { type RawBuilder, sql } from 'kysely'
import type { Principal } from './principal.ts'

type Condition = RawBuilder<boolean>

/** Things that a reply to several people reads only if all of them may. */
const shownToAudience = new Set(['document', 'tool', 'tool-set', 'fact', 'prompt', 'connector'])

/** Returns the people for whom a principal reads a thing as well; none for most principals. */
export function audienceFor(principal: Principal, thing: string): readonly Principal[] {
  return (shownToAudience.has(thing) && 'audience' in principal && principal.audience) || []
}

/** Returns the condition that a rule holds for the principal and for everyone for whom they read. */
export function holdsForAll(
  principal: Principal,
  thing: string,
  rule: (principal: Principal) => Condition,
): Condition {
  const others = audienceFor(principal, thing)
  if (others.length === 0) return rule(principal)
  return sql<boolean>`(${sql.join([principal, ...others].map(rule), sql` and `)})`
}

/** Tells who reads the replies of a chat. */
export type Audiences = {
  /**
   * Returns everyone who reads the replies of a chat in a channel; null for a chat whose replies only its people read.
   * @throws AppError `unavailable` while the members cannot be listed
   */
  of(sessionId: string): Promise<readonly Principal[] | null>
  /** Registers how the audience is found. */
  answerWith(find: Audiences['of']): void
}

export function createAudiences(): Audiences {
  let find: Audiences['of'] = async () => null
  return {
    of: (sessionId) => find(sessionId),
    answerWith: (given) => {
      find = given
    },
  }
}
