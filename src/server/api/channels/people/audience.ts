import { MAX_AUDIENCE } from '#shared/api/channels/channels.ts'
import { AppError } from '#shared/platform/errors.ts'
import { findOpenOf } from '../../../chat/embeds/embeds.ts'
import { toUser } from '../../../identity/accounts/accounts.ts'
import { anonymous, type Principal } from '../../../platform/access/access.ts'
import type { Deps } from '../../../tools/deps.ts'
import { findChannel, type StoredChannel } from '../channel-store.ts'
import { openWire } from '../open-wire.ts'
import type { Member, Place, Wire } from '../wire.ts'
import { findDescribed, type KnownPerson, storePerson } from './people.ts'
import { findThreadOfChat, putMembers, type ThreadOfChat } from './people-store.ts'

/** No visitor has this id. */
const NO_VISITOR = '00000000-0000-0000-0000-000000000000'

/**
 * Returns everyone who reads the replies of a chat: the members of its channel. Null for chats outside of channels and for direct
 * messages. Members are listed again after a minute.
 * @throws AppError `unavailable`, `rate_limited`, `invalid`, `not_found` while the members cannot be listed
 */
export async function audienceOf(deps: Deps, sessionId: string): Promise<readonly Principal[] | null> {
  const thread = await findThreadOfChat(deps.db, { sessionId })
  return thread && readersOf(deps, thread, false)
}

/**
 * Returns everyone who reads what is posted in a thread, also when it continues in another chat by now. Null for direct messages. Members are
 * listed again after a minute, and immediately with `isNow`. @throws as `audienceOf`
 */
export async function readersOfThread(
  deps: Deps,
  threadId: string,
  { isNow = false }: { isNow?: boolean } = {},
): Promise<readonly Principal[] | null> {
  const thread = await findThreadOfChat(deps.db, { threadId })
  return thread && readersOf(deps, thread, isNow)
}

async function readersOf(deps: Deps, thread: ThreadOfChat, isNow: boolean): Promise<Principal[] | null> {
  if (thread.is_direct) return null
  // Without a place the readers are unknown, so nothing is read for them.
  if (thread.place_id === null) return [anonymous]
  const channel = await findChannel(deps.db, thread.channel_id)
  if (!channel) return [anonymous]
  const wire = openWire(deps, channel)
  let members: Member[] = thread.member_ids.map((id) => ({ id, person: null }))
  if (isNow || !thread.is_fresh) {
    members = await wire.members(thread)
    const ids = members.map(({ id }) => id)
    await putMembers(deps.db, thread.place_id, ids)
  }
  const users = await accountsOf(deps, wire, channel, thread, members)
  return users ?? [await strangerOf(deps, thread)]
}

/**
 * Returns the accounts of the members; null if one has none or they are too many. Only those are described by the service who were not
 * lately, until the first without an account.
 */
async function accountsOf(
  deps: Deps,
  wire: Wire,
  channel: StoredChannel,
  place: Place,
  members: readonly Member[],
): Promise<Principal[] | null> {
  if (members.length > MAX_AUDIENCE) return null
  const ids = members.map(({ id }) => id)
  const known = new Map((await findDescribed(deps, channel, ids)).map((one) => [one.foreign_id, one]))
  const isStranger = ({ is_bot, user }: KnownPerson) => !is_bot && user === null
  if ([...known.values()].some(isStranger)) return null
  for (const { id, person } of members) {
    if (known.has(id)) continue
    const described = await storePerson(deps, channel, id, person ?? (await wire.person(place, id)))
    if (isStranger(described)) return null
    known.set(id, described)
  }
  const users = new Map<string, Principal>()
  for (const { is_bot, user } of known.values())
    if (!is_bot && user) users.set(user.id, { kind: 'user', ...user })
  if (users.size === 0) throw new AppError('unavailable', `${channel.name} lists no members of this channel.`)
  return [...users.values()]
}

/** Returns who stands for people without an account. Everyone may read the documents that visitors of the assistant may read. */
async function strangerOf(deps: Deps, { assistant_id }: ThreadOfChat): Promise<Principal> {
  const open = assistant_id === null ? null : await findOpenOf(deps, assistant_id)
  if (!open) return anonymous
  const { key_id, payer } = open
  return {
    kind: 'visitor',
    ...toUser(payer),
    visitor: { id: NO_VISITOR, key_id, assistant_id: open.assistant_id },
  }
}
