import * as z from 'zod'
import { defineConnector, ItemRefused, type OpenedSource } from '../../define-connector.ts'
import { nameOf } from '../../requests/item-names.ts'
import { asUnavailable, readableOf } from '../../requests/json-requests.ts'
import { listParts } from '../../requests/list-parts.ts'
import { mayContain } from '../../selected.ts'
import { dayHtml } from './day-html.ts'
import { listDays, membersKey, readDay, WORKSPACE_KEY } from './messages.ts'
import { DEFAULT_ADDRESS, openWorkspace, type Person, type Workspace } from './workspace.ts'

const MAX_FOLDERS = 500

/** Messages of the channels that a bot is a member of: one document per channel and day, with threads. */
export default defineConnector({
  id: 'slack',
  place: 8,
  fields: [
    { name: 'token', type: 'secret', required: true },
    { name: 'address', type: 'address', required: false, value: DEFAULT_ADDRESS },
  ],
  mirrorsRights: true,
  personal: true,
  hasFolders: true,
  isOffered: () => true,
  hostOf: ({ address }) => URL.parse(address || DEFAULT_ADDRESS)?.host ?? null,
  open: async (context): Promise<OpenedSource> => {
    const workspace = openWorkspace(context)
    return {
      check: () => asUnavailable(check(workspace)),
      folders: async (path) => {
        const channels = path === '' ? await asUnavailable(workspace.channels()) : []
        const names = channels.map(({ name }) => nameOf(name)).sort()
        const items = names.map((name) => ({ path: name, name, has_folders: false }))
        return { items: items.slice(0, MAX_FOLDERS), has_more: items.length > MAX_FOLDERS }
      },
      async *list(selection, cursor) {
        const channels = await asUnavailable(workspace.channels())
        const chosen = channels.filter(({ name }) => mayContain(selection, nameOf(name)))
        const parts = chosen.map((channel) => ({
          key: channel.id,
          page: (next: string | null) => listDays(workspace, channel, next),
        }))
        yield* listParts(workspace.host, parts, selection, cursor)
      },
      read: async ({ id }, signal) => {
        const [channelId = '', day = ''] = id.split('/')
        const [threads, people, channels] = await Promise.all([
          readDay(workspace, channelId, day, signal),
          workspace.people(),
          workspace.channels(),
        ])
        const channel = (one: string) => channels.find((other) => other.id === one)?.name ?? one
        const person = (one: string) => nameOfPerson(people.get(one)) ?? one
        return readableOf(await dayHtml(`${channel(channelId)} ${day}`, threads, { person, channel }))
      },
      members: () => listMembers(workspace),
    }
  },
})

/** Asks for what every sync needs, so that a missing scope is noticed immediately. */
async function check({ ask, address }: Workspace): Promise<void> {
  await address()
  await ask('conversations.list', z.object({}), {
    query: { types: 'public_channel,private_channel', limit: 1 },
  })
  await ask('users.list', z.object({}), { query: { limit: 1 } })
}

const nameOfPerson = (person: Person | undefined): string | undefined =>
  person?.profile?.display_name || person?.real_name || person?.name || undefined

/** Returns who may read which channel, by confirmed address. A token without `users:read.email` knows no address, so no one may. */
async function listMembers(workspace: Workspace): Promise<{ group_key: string; address: string }[]> {
  const people = [...(await workspace.people()).values()]
  const addresses = new Map(
    people.flatMap((one) => {
      const { id, deleted, is_bot, is_stranger, is_email_confirmed, profile } = one
      const isKnown = profile?.email && !deleted && !is_bot && !is_stranger && is_email_confirmed !== false
      return isKnown ? [[id, profile?.email ?? '']] : []
    }),
  )
  if (addresses.size === 0) return []
  const isGuest = ({ is_restricted, is_ultra_restricted }: Person) => is_restricted || is_ultra_restricted
  const known = people.filter(({ id }) => addresses.has(id))
  const found = known
    .filter((one) => !isGuest(one))
    .map(({ id }) => ({ group_key: WORKSPACE_KEY, address: addresses.get(id) ?? '' }))
  const hasGuests = known.some(isGuest)
  for (const { id, isPrivate } of await workspace.channels()) {
    if (!isPrivate && !hasGuests) continue
    for (const member of await membersOf(workspace, id)) {
      const address = addresses.get(member)
      if (address) found.push({ group_key: membersKey(id), address })
    }
  }
  return found
}

/** A channel that the bot left meanwhile has no members here, so no one may read it. */
async function membersOf(workspace: Workspace, channelId: string): Promise<string[]> {
  try {
    return await workspace.membersOf(channelId)
  } catch (error) {
    if (error instanceof ItemRefused) return []
    throw error
  }
}
