import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import type { ForeignPerson, Member, Place, Said, Wire } from '../wire.ts'
import { type TeamsSettings, type TokenCache, teamsRequests } from './teams-requests.ts'

const PAGES = 200
const Listed = z.object({
  id: z.string(),
  name: z.string().nullish(),
  email: z.string().nullish(),
  userPrincipalName: z.string().nullish(),
  tenantId: z.string().nullish(),
  userRole: z.string().nullish(),
})
const Members = z.object({ members: z.array(Listed), continuationToken: z.string().nullish() })
const Posted = z.object({ id: z.string() })
const Opened = z.object({ id: z.string() })
const Conversations = z.object({
  conversations: z.array(z.object({ id: z.string(), name: z.string().nullish() })),
})
const Messages = z.object({
  value: z.array(
    z.object({
      id: z.string(),
      attachments: z.array(z.object({ content: z.string().nullish() })).nullish(),
    }),
  ),
  '@odata.nextLink': z.string().nullish(),
})
const Anything = z.looseObject({})

/** Speaks with the bot connector of Microsoft Teams. Posts are found again through Graph. */
export function teamsWire(
  outbound: Pick<Outbound, 'fetch'>,
  settings: TeamsSettings,
  cache: TokenCache,
): Wire {
  const ask = teamsRequests(outbound, settings, cache)
  const { app_id, tenant_id, graph, services } = settings
  return {
    test: async () => {
      // Graph answers with the tenant, so that one call proves application, tenant and secret.
      const token = { app_id, tenant_id }
      await ask(`${graph}/v1.0/organization?$select=id`, Anything).catch((error) => {
        // Without the right to read the tenant, the secret was accepted all the same.
        if (!(error instanceof AppError) || !error.detail.startsWith('The application may not read'))
          throw error
      })
      return { ...token, workspace: tenant_id, bot: app_id }
    },
    offered: async (seen) => {
      const teams = new Map(seen.filter(({ team }) => team !== '').map((place) => [place.team, place]))
      const lists = [...teams.values()].map(async ({ service, team }) => {
        const { conversations } = await ask(
          `${baseOf(service)}/v3/teams/${encodeURIComponent(team)}/conversations`,
          Conversations,
        )
        // The first channel of a team has no name of its own.
        return conversations.map(({ id, name }) => ({ foreign_id: id, name: name || 'General' }))
      })
      return (await Promise.all(lists)).flat()
    },
    members: async (place) => {
      const found: Member[] = []
      let token = ''
      for (let page = 0; page < PAGES; page += 1) {
        const more = token === '' ? '' : `&continuationToken=${encodeURIComponent(token)}`
        const url = `${conversationOf(place)}/pagedmembers?pageSize=500${more}`
        const { members, continuationToken } = await ask(url, Members)
        found.push(...members.map((one) => ({ id: one.id, person: personOf(one, tenant_id) })))
        if (!continuationToken) return found
        if (continuationToken === token) break
        token = continuationToken
      }
      throw new AppError('unavailable', 'Teams sends a list of members without an end.')
    },
    person: async (place, id) =>
      personOf(await ask(`${conversationOf(place)}/members/${encodeURIComponent(id)}`, Listed), tenant_id),
    post: async (place, said) =>
      (await ask(activitiesOf(place), Posted, { method: 'POST', body: activity(said) })).id,
    find: async (place, id) => {
      let url: string | null | undefined = messagesOf(place, settings)
      for (let page = 0; page < PAGES && url; page += 1) {
        const { value, '@odata.nextLink': next }: z.infer<typeof Messages> = await ask(url, Messages)
        const found = value.find(({ attachments }) =>
          attachments?.some(({ content }) => content?.includes(id)),
        )
        if (found) return found.id
        url = next
      }
      return null
    },
    change: async (place, foreignId, said) => {
      await ask(`${activitiesOf(place)}/${encodeURIComponent(foreignId)}`, Anything, {
        ...{ method: 'PUT', body: { ...activity(said), id: foreignId } },
      })
    },
    tell: async ({ service }, recipient, text) => {
      const body = { bot: { id: app_id }, members: [{ id: recipient }], tenantId: tenant_id, isGroup: false }
      const { id } = await ask(`${baseOf(service)}/v3/conversations`, Opened, { method: 'POST', body })
      const url = `${baseOf(service)}/v3/conversations/${encodeURIComponent(id)}/activities`
      await ask(url, Posted, { method: 'POST', body: { type: 'message', textFormat: 'markdown', text } })
    },
  }
  function baseOf(service: string): string {
    const url = URL.parse(service)
    if (!url || !services.includes(url.origin))
      throw new AppError('invalid', `${service} is not among the allowed service addresses.`)
    return service.replace(/\/$/, '')
  }
  function conversationOf({ service, conversation }: Place): string {
    return `${baseOf(service)}/v3/conversations/${encodeURIComponent(conversation)}`
  }
  /** A thread of a channel is named behind its conversation. */
  function activitiesOf({ service, conversation, root, team }: Place): string {
    const thread = team === '' ? conversation : `${conversation};messageid=${root}`
    return `${baseOf(service)}/v3/conversations/${encodeURIComponent(thread)}/activities`
  }
}

/** Messages of a thread in a channel, of a group chat, or of the chat of a person with the bot. */
function messagesOf(
  { conversation, root, team, directory_id }: Place,
  { graph, app_id }: TeamsSettings,
): string {
  if (team !== '') {
    const channel = `teams/${encodeURIComponent(directory_id)}/channels/${encodeURIComponent(conversation)}`
    return `${graph}/v1.0/${channel}/messages/${encodeURIComponent(root)}/replies?$top=50`
  }
  const chat = directory_id === '' ? conversation : `19:${directory_id}_${app_id}@unq.gbl.spaces`
  return `${graph}/v1.0/chats/${encodeURIComponent(chat)}/messages?$top=50`
}

/** The address counts for people of the own tenant only: another tenant says what it likes. */
function personOf(member: z.infer<typeof Listed>, tenantId: string): ForeignPerson {
  const name = member.userPrincipalName?.toLowerCase() ?? ''
  const isOwn = member.tenantId?.toLowerCase() === tenantId.toLowerCase() && !name.includes('#ext#')
  const isUser = member.userRole === undefined || member.userRole === null || member.userRole === 'user'
  const address = isOwn && isUser ? (member.email || name).trim().toLowerCase() : ''
  return { name: member.name || member.id, address: address || null, is_bot: false }
}

/** A card, whose text has an id by which it is found again. */
function activity({ id, text, buttons = [] }: Said) {
  // A link of a card has no brackets in its label.
  const plain = text.replace(/\[\[(\d{1,3})\]\]\(/g, '[$1](')
  const card = {
    ...{ type: 'AdaptiveCard', version: '1.4', msteams: { width: 'Full' } },
    body: [{ type: 'TextBlock', id: `atrium-${id}`, text: plain, wrap: true }],
    actions: buttons.map(({ label, choice, isPrimary }) => ({
      ...{ type: 'Action.Submit', title: label, data: { atrium: `${id} ${choice}` } },
      ...(isPrimary && { style: 'positive' }),
    })),
  }
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', content: card }
  return { type: 'message', summary: text.slice(0, 200).toWellFormed(), attachments: [attachment] }
}
