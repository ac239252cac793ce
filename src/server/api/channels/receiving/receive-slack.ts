import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import { DIRECT } from '#shared/api/channels/channels.ts'
import { AppError } from '#shared/platform/errors.ts'
import { countedAddress, takeTurn } from '../../../identity/accounts/accounts.ts'
import { cleanCharacters } from '../../../platform/db/db.ts'
import { bodyBytes } from '../../../platform/http/bodies/request-body.ts'
import { tryJson } from '../../../platform/outbound/foreign/foreign.ts'
import type { Deps } from '../../../tools/deps.ts'
import { findChannel, type StoredChannel } from '../channel-store.ts'
import { requestWork } from '../request-work.ts'
import { assertFromSlack } from '../slack/slack-signature.ts'
import { findThreadOfPost, insertEvent, isContinued, openThread } from './event-store.ts'
import { plainText } from './plain-text.ts'

const id = z.string().min(1).max(200)
const Event = z.object({
  type: z.enum(['app_mention', 'message']),
  channel: id,
  channel_type: z.nullish(z.string()),
  user: id,
  text: z.string().max(100_000),
  team: z.nullish(z.string().max(100)),
  ts: id,
  thread_ts: z.nullish(id),
  bot_id: z.nullish(z.string()),
  subtype: z.nullish(z.string()),
})
const Callback = z.object({ type: z.literal('event_callback'), team_id: z.string(), event: Event })
const Challenge = z.object({ type: z.literal('url_verification'), challenge: z.string().max(2_000) })
const Press = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id }),
  team: z.nullish(z.object({ id: z.string() })),
  container: z.object({ message_ts: id }),
  actions: z.array(z.object({ value: z.string().max(100), action_ts: id })).min(1),
})
/** Subtypes of messages that people write. */
const written = new Set(['file_share', 'thread_broadcast'])

/**
 * Stores a signed event of Slack before it is confirmed; a job answers it. Returns the challenge of a new address.
 * @throws AppError `wrong_credentials`, `rate_limited`
 */
export async function receiveEvent(
  deps: Deps,
  channelId: string,
  request: FastifyRequest,
  body: Record<string, unknown>,
): Promise<{ challenge?: string }> {
  const channel = await assertGenuine(deps, channelId, request)
  const challenge = Challenge.safeParse(body)
  if (challenge.success) return { challenge: challenge.data.challenge }
  const read = Callback.safeParse(body)
  // Other kinds of events are confirmed too, so that Slack does not repeat them.
  if (!read.success || !channel.is_on) return {}
  const { event } = read.data
  const isByPerson = !event.bot_id && (!event.subtype || written.has(event.subtype))
  if (!isByPerson || event.user === channel.app_id) return {}
  if (await storeMessage(deps, channel, event)) await requestWork(deps, channelId)
  return {}
}

/** Stores a message that names the bot, is written to it alone, or continues a thread. Returns whether it did. */
async function storeMessage(
  deps: Deps,
  channel: StoredChannel,
  event: z.infer<typeof Event>,
): Promise<boolean> {
  const { channel: conversation, ts, thread_ts } = event
  const isDirect = event.channel_type === 'im'
  const isAddressed = isDirect || event.type === 'app_mention' || event.text.includes(`<@${channel.app_id}>`)
  const root = thread_ts ?? ts
  const place = isDirect ? DIRECT : conversation
  const at = { conversation, root, place, isDirect, service: '', team: event.team ?? '', directory_id: '' }
  return deps.db.transaction().execute(async (trx) => {
    if (!isAddressed && !(await isContinued(trx, channel.id, at))) return false
    const thread_id = await openThread(trx, channel.id, at)
    await insertEvent(trx, {
      ...{ channel_id: channel.id, thread_id, kind: 'message', sender: event.user },
      // A mention comes as two events, with ids of their own. The message is the same.
      ...{
        foreign_id: `${conversation} ${ts}`,
        body: cleanCharacters(plainText(event.text, channel.app_id)),
      },
    })
    return true
  })
}

/** Stores the press of a button before it is confirmed. @throws AppError as `receiveEvent`, `invalid` */
export async function receivePress(
  deps: Deps,
  channelId: string,
  request: FastifyRequest,
  payload: string,
): Promise<void> {
  const channel = await assertGenuine(deps, channelId, request)
  const read = Press.safeParse(tryJson(payload))
  const [pressed] = read.data?.actions ?? []
  const [, post_id, choice] = /^([0-9a-f-]{36}) (\d{1,3})$/.exec(pressed?.value ?? '') ?? []
  if (!read.data || !pressed || !post_id || !channel.is_on) return
  const { user, container } = read.data
  const thread_id = await findThreadOfPost(deps.db, channelId, post_id)
  if (thread_id === null) return
  await insertEvent(deps.db, {
    ...{ channel_id: channelId, thread_id, kind: 'press', sender: user.id, post_id, choice: Number(choice) },
    foreign_id: `press ${container.message_ts} ${user.id} ${pressed.action_ts}`,
  })
  await requestWork(deps, channelId)
}

/** An unknown connection is refused like a wrong signature. Only forged events count, because everybody's events come from the same addresses. */
async function assertGenuine(deps: Deps, channelId: string, request: FastifyRequest): Promise<StoredChannel> {
  const channel = await findChannel(deps.db, channelId)
  const signed = {
    bytes: bodyBytes(request),
    timestamp: String(request.headers['x-slack-request-timestamp'] ?? ''),
    signature: String(request.headers['x-slack-signature'] ?? ''),
  }
  try {
    const isSlack = channel?.kind === 'slack'
    // The secret is opened only for a channel that exists; the comparison takes place all the same.
    assertFromSlack(signed, isSlack ? deps.secrets.open(channel.secret_sealed) : channelId, deps.clock.now())
    if (!isSlack)
      throw new AppError('wrong_credentials', 'The signature does not fit. Check the signing secret.')
    return channel
  } catch (error) {
    if (error instanceof AppError) await takeTurn(deps, 'channel_address', countedAddress(request.ip))
    throw error
  }
}
