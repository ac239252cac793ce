import { MAX_AUDIENCE } from '#shared/api/channels/channels.ts'
import { AppError } from '#shared/platform/errors.ts'
import { findOpenOf } from '../../../chat/embeds/embeds.ts'
import { toUser } from '../../../identity/accounts/accounts.ts'
import { anonymous, type Principal } from '../../../platform/access/access.ts'
import type { Deps } from '../../../tools/deps.ts'
import { findChannel } from '../channel-store.ts'
import { openWire } from '../open-wire.ts'
import { readPeople } from './people.ts'
import { findThreadOfChat, putMembers, type ThreadOfChat } from './people-store.ts'

/** No visitor has this id. */
const NO_VISITOR = '00000000-0000-0000-0000-000000000000'

/**
 * Returns everyone who reads the replies of a chat: the members of its channel. Null for chats outside of channels and for direct
 * messages. Members are listed again after a minute, and immediately with `isNow`.
 * @throws AppError `unavailable`, `rate_limited`, `invalid` while the members cannot be listed
 */
export async function audienceOf(
  deps: Deps,
  sessionId: string,
  { isNow = false }: { isNow?: boolean } = {},
): Promise<readonly Principal[] | null> {
  const thread = await findThreadOfChat(deps.db, sessionId)
  if (!thread || thread.is_direct) return null
  // Without a place the readers are unknown, so nothing is read for them.
  if (thread.place_id === null) return [anonymous]
  const channel = await findChannel(deps.db, thread.channel_id)
  if (!channel) return [anonymous]
  const wire = openWire(deps, channel)
  let ids = thread.member_ids
  if (isNow || !thread.is_fresh) {
    ids = await wire.members(thread)
    await putMembers(deps.db, thread.place_id, ids)
  }
  const people = (await readPeople(deps, wire, channel, thread, ids)).filter(({ is_bot }) => !is_bot)
  if (people.length === 0)
    throw new AppError('unavailable', `${channel.name} lists no members of this channel.`)
  const users = new Map(people.flatMap(({ user }) => (user ? [[user.id, user]] : [])))
  const hasStrangers = people.some(({ user }) => user === null)
  if (hasStrangers || users.size > MAX_AUDIENCE) return [await strangerOf(deps, thread)]
  return [...users.values()].map((user) => ({ kind: 'user', ...user }))
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
