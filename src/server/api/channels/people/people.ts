import type { User } from '#shared/identity/accounts/accounts.ts'
import type { Deps } from '../../../tools/deps.ts'
import type { StoredChannel } from '../channel-store.ts'
import type { Place, Wire } from '../wire.ts'
import { findPeople, findUsers, putPerson, type StoredPerson } from './people-store.ts'

/** Seconds that the description of a member counts. The person who asks is read each time. */
const PROFILE_S = 600

export type KnownPerson = StoredPerson & { user: User | null }

/** Returns people as the service describes them now, with their accounts. Those described in the last minutes are not read again. */
export async function readPeople(
  deps: Deps,
  wire: Wire,
  channel: StoredChannel,
  place: Place,
  ids: readonly string[],
): Promise<KnownPerson[]> {
  const known = new Map(
    (await findPeople(deps.db, channel.id, ids, PROFILE_S)).map((one) => [one.foreign_id, one]),
  )
  for (const id of ids)
    if (!known.get(id)?.is_fresh) await putPerson(deps.db, channel.id, id, await wire.person(place, id))
  return withUsers(deps, channel, await findPeople(deps.db, channel.id, ids, PROFILE_S))
}

/** Returns the person who asks, as the service describes them at this moment. */
export async function readAsker(
  deps: Deps,
  wire: Wire,
  channel: StoredChannel,
  place: Place,
  id: string,
): Promise<KnownPerson | null> {
  await putPerson(deps.db, channel.id, id, await wire.person(place, id))
  const [person = null] = await withUsers(
    deps,
    channel,
    await findPeople(deps.db, channel.id, [id], PROFILE_S),
  )
  return person
}

async function withUsers(deps: Deps, channel: StoredChannel, people: StoredPerson[]): Promise<KnownPerson[]> {
  const addresses = people.flatMap(({ address }) => (address === null ? [] : [address]))
  const users = await findUsers(deps, channel.company_id, addresses)
  return people.map((person) => {
    // Two accounts with one address prove nothing.
    const [found, ...others] = users.filter(({ address }) => address === person.address)
    return { ...person, user: found && others.length === 0 ? found.user : null }
  })
}
