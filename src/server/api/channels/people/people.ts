import type { User } from '#shared/identity/accounts/accounts.ts'
import type { Deps } from '../../../tools/deps.ts'
import type { StoredChannel } from '../channel-store.ts'
import type { ForeignPerson, Place, Wire } from '../wire.ts'
import { findPeople, findUsers, putPerson, type StoredPerson } from './people-store.ts'

/** Seconds that the description of a member counts. The person who asks is read each time. */
const PROFILE_S = 600

export type KnownPerson = StoredPerson & { user: User | null }

/** Returns those people whom the service described in the last minutes, with their accounts. */
export async function findDescribed(
  deps: Deps,
  channel: StoredChannel,
  ids: readonly string[],
): Promise<KnownPerson[]> {
  const people = await findPeople(deps.db, channel.id, ids, PROFILE_S)
  const addresses = people.flatMap(({ address }) => (address === null ? [] : [address]))
  const users = await findUsers(deps, channel.company_id, addresses)
  return people.map((person) => ({ ...person, user: userAt(users, person.address) }))
}

/** Returns the person who asks, as the service describes them at this moment. */
export async function readAsker(
  deps: Deps,
  wire: Wire,
  channel: StoredChannel,
  place: Place,
  id: string,
): Promise<KnownPerson> {
  return storePerson(deps, channel, id, await wire.person(place, id))
}

/** Stores that the service described a person. Without an account, neither name nor address is stored: they may have been erased here. */
export async function storePerson(
  deps: Deps,
  channel: StoredChannel,
  id: string,
  { address, is_bot }: ForeignPerson,
): Promise<KnownPerson> {
  const users = address === null ? [] : await findUsers(deps, channel.company_id, [address])
  const user = userAt(users, address)
  const of = { address: user && address, user_id: user?.id ?? null, is_bot }
  return { ...(await putPerson(deps.db, channel.id, id, of)), user }
}

/** Two accounts with one address prove nothing. */
function userAt(users: Awaited<ReturnType<typeof findUsers>>, wanted: string | null): User | null {
  const [found, ...others] = users.filter(({ address }) => address === wanted)
  return found && others.length === 0 ? found.user : null
}
