import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import type { ForeignPerson, Said, Wire } from '../wire.ts'
import { cutMrkdwn } from './cut-mrkdwn.ts'
import { listPages, type SlackSettings, slackRequests } from './slack-requests.ts'
import { toMrkdwn } from './to-mrkdwn.ts'

/** Marks our messages, so that an interrupted one is found. */
const EVENT_TYPE = 'atrium_post'
/** Maximum characters of a message. */
const MAX_TEXT = 39_000

const Test = z.object({ url: z.string(), user: z.string(), user_id: z.string(), team_id: z.string() })
const Channels = z.object({
  channels: z.array(
    z.object({ id: z.string(), name: z.nullish(z.string()), is_member: z.nullish(z.boolean()) }),
  ),
})
const Members = z.object({ members: z.array(z.string()) })
const Person = z.object({
  user: z.object({
    id: z.string(),
    name: z.nullish(z.string()),
    real_name: z.nullish(z.string()),
    team_id: z.nullish(z.string()),
    deleted: z.nullish(z.boolean()),
    is_bot: z.nullish(z.boolean()),
    is_stranger: z.nullish(z.boolean()),
    is_email_confirmed: z.nullish(z.boolean()),
    profile: z.nullish(z.object({ email: z.nullish(z.string()) })),
  }),
})
const Posted = z.object({ ts: z.string() })
const Anything = z.object({})
const Replies = z.object({
  messages: z.array(
    z.object({
      ts: z.string(),
      client_msg_id: z.nullish(z.string()),
      metadata: z.nullish(
        z.object({ event_payload: z.nullish(z.object({ id: z.nullish(z.string().or(z.number())) })) }),
      ),
    }),
  ),
})

/** Speaks with one workspace of Slack. `tenantId` is the workspace whose people count. */
export function slackWire(
  outbound: Pick<Outbound, 'fetch'>,
  settings: SlackSettings & { tenantId: string },
): Wire {
  const ask = slackRequests(outbound, settings)
  return {
    test: async () => {
      const { url, user, user_id, team_id } = await ask('auth.test', Test, {})
      // Each scope is tried, so that the first mention does not fail.
      await ask('users.info', Person, { user: user_id })
      await ask('conversations.list', Channels, { types: 'public_channel,private_channel', limit: 1 })
      return { workspace: URL.parse(url)?.hostname ?? '', bot: user, app_id: user_id, tenant_id: team_id }
    },
    offered: async () => {
      const values = { types: 'public_channel,private_channel', exclude_archived: true }
      const pages = await listPages(ask, 'conversations.list', Channels, values)
      return pages
        .flatMap(({ channels }) => channels)
        .filter(({ is_member }) => is_member)
        .map(({ id, name }) => ({ foreign_id: id, name: `#${name ?? id}` }))
    },
    members: async ({ conversation }) => {
      const pages = await listPages(ask, 'conversations.members', Members, { channel: conversation })
      return pages.flatMap(({ members }) => members.map((id) => ({ id, person: null })))
    },
    person: async (_, user) => personOf((await ask('users.info', Person, { user })).user, settings.tenantId),
    post: async ({ conversation, root }, said) =>
      (
        await ask('chat.postMessage', Posted, {
          ...{ channel: conversation, thread_ts: root, client_msg_id: said.id, ...written(said) },
          metadata: JSON.stringify({ event_type: EVENT_TYPE, event_payload: { id: said.id } }),
        })
      ).ts,
    find: async ({ conversation, root }, id) => {
      const isOurs = ({ client_msg_id, metadata }: z.infer<typeof Replies>['messages'][number]) =>
        client_msg_id === id || metadata?.event_payload?.id === id
      const values = { channel: conversation, ts: root, include_all_metadata: true }
      const pages = await listPages(ask, 'conversations.replies', Replies, values, ({ messages }) =>
        messages.some(isOurs),
      )
      return pages.flatMap(({ messages }) => messages).find(isOurs)?.ts ?? null
    },
    change: async ({ conversation }, ts, said) => {
      await ask('chat.update', Anything, { channel: conversation, ts, ...written(said) })
    },
    tell: async ({ conversation, root }, user, text) => {
      const values = { channel: conversation, thread_ts: root, user, text: toMrkdwn(text) }
      await ask('chat.postEphemeral', Anything, values)
    },
  }
}

/** The address of a person of another workspace is that workspace's claim, so it counts for nothing. */
function personOf(user: z.infer<typeof Person>['user'], tenantId: string): ForeignPerson {
  const isOwn = user.team_id === tenantId && !user.deleted && !user.is_stranger
  const isProved = isOwn && user.is_email_confirmed === true
  const address = (isProved && user.profile?.email?.trim().toLowerCase()) || null
  return { name: user.real_name || user.name || user.id, address, is_bot: user.is_bot === true }
}

/** Returns text and blocks of a message. Without buttons, empty blocks remove those of an earlier version. */
function written({ id, text, buttons = [] }: Said) {
  const mrkdwn = toMrkdwn(text)
  if (mrkdwn.length > MAX_TEXT) throw new AppError('invalid', 'The message is too long for Slack.')
  const sections = cutMrkdwn(mrkdwn).map((piece) => ({
    ...{ type: 'section', text: { type: 'mrkdwn', text: piece } },
  }))
  const elements = buttons.map(({ label, choice, isPrimary }) => ({
    ...{ type: 'button', action_id: `answer_${choice}`, value: `${id} ${choice}` },
    text: { type: 'plain_text', text: label.slice(0, 75).toWellFormed() },
    ...(isPrimary && { style: 'primary' }),
  }))
  const blocks = [...sections, ...(elements.length > 0 ? [{ type: 'actions', elements }] : [])]
  // Slack would fetch addresses that a model wrote.
  return { text: mrkdwn, blocks: JSON.stringify(blocks), unfurl_links: false, unfurl_media: false }
}
