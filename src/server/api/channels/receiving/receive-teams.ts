import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import { DIRECT } from '#shared/api/channels/channels.ts'
import { AppError } from '#shared/platform/errors.ts'
import { countedAddress, takeTurn } from '../../../identity/accounts/accounts.ts'
import { cleanCharacters } from '../../../platform/db/db.ts'
import type { Deps } from '../../../tools/deps.ts'
import { findChannel, type StoredChannel } from '../channel-store.ts'
import { requestWork } from '../request-work.ts'
import { refused, type VerifyToken } from '../teams/verify-token.ts'
import { findThreadOfPost, insertEvent, isContinued, openThread } from './event-store.ts'

const id = z.string().min(1).max(500)
const Signed = z.object({ serviceUrl: z.string().max(500), channelId: z.string().max(100) })
const Activity = z.object({
  type: z.literal('message'),
  id,
  serviceUrl: z.string(),
  from: z.object({ id, aadObjectId: z.string().max(100).nullish(), role: z.string().nullish() }),
  recipient: z.object({ id }),
  conversation: z.object({ id, conversationType: z.string().nullish(), tenantId: z.string().nullish() }),
  text: z.string().max(100_000).nullish(),
  value: z
    .object({ atrium: z.string().max(100) })
    .nullish()
    .catch(null),
  entities: z
    .array(
      z.looseObject({
        type: z.string(),
        mentioned: z.object({ id: z.string() }).nullish(),
        text: z.string().nullish(),
      }),
    )
    .nullish(),
  channelData: z
    .object({
      tenant: z.object({ id: z.string() }).nullish(),
      team: z
        .object({ id: z.string().max(500).nullish(), aadGroupId: z.string().max(100).nullish() })
        .nullish(),
    })
    .nullish(),
})
type Activity = z.infer<typeof Activity>

/**
 * Stores an activity of Teams before it is confirmed; a job answers it. @throws AppError `wrong_credentials`, `rate_limited`
 */
export async function receiveActivity(
  deps: Deps,
  verify: VerifyToken,
  channelId: string,
  request: FastifyRequest,
  body: Record<string, unknown>,
): Promise<void> {
  const channel = await assertGenuine(deps, verify, channelId, request, body)
  const read = Activity.safeParse(body)
  if (!read.success || !channel.is_on || read.data.from.role === 'bot') return
  const tenant = read.data.channelData?.tenant?.id ?? read.data.conversation.tenantId
  if (tenant?.toLowerCase() !== channel.tenant_id.toLowerCase()) return
  const isStored = read.data.value
    ? await storePress(deps, channel, read.data, read.data.value.atrium)
    : await storeMessage(deps, channel, read.data)
  if (isStored) await requestWork(deps, channelId)
}

/** Stores a message that names the bot, is written to it alone, or continues a thread. Returns whether it did. */
async function storeMessage(deps: Deps, channel: StoredChannel, activity: Activity): Promise<boolean> {
  const { conversation: said, from, recipient, entities, channelData, serviceUrl } = activity
  const [conversation = '', message] = said.id.split(';messageid=')
  const isDirect = said.conversationType === 'personal'
  const mentions = (entities ?? []).filter(
    ({ type, mentioned }) => type === 'mention' && mentioned?.id === recipient.id,
  )
  const isAddressed = isDirect || mentions.length > 0
  // Chats have no threads: a day is one. In a group chat, messages that do not mention the bot are for the others.
  if (!isAddressed && message === undefined) return false
  const root = message ?? deps.clock.now().toISOString().slice(0, 10)
  const team = channelData?.team
  const directory_id = (isDirect ? from.aadObjectId : team?.aadGroupId) ?? ''
  const place = isDirect ? DIRECT : conversation
  const at = { conversation, root, place, isDirect, service: serviceUrl, team: team?.id ?? '', directory_id }
  const text = mentions.reduce(
    (rest, { text: name }) => (name ? rest.replaceAll(name, '') : rest),
    activity.text ?? '',
  )
  return deps.db.transaction().execute(async (trx) => {
    if (!isAddressed && !(await isContinued(trx, channel.id, at))) return false
    const thread_id = await openThread(trx, channel.id, at)
    await insertEvent(trx, {
      ...{ channel_id: channel.id, thread_id, kind: 'message', sender: from.id },
      ...{ foreign_id: `${conversation} ${activity.id}`, body: cleanCharacters(plain(text)) },
    })
    return true
  })
}

/** Teams sends plain text with entities of HTML. */
const plain = (text: string) =>
  text
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .trim()

async function storePress(
  deps: Deps,
  channel: StoredChannel,
  activity: Activity,
  pressed: string,
): Promise<boolean> {
  const [, post_id, choice] = /^([0-9a-f-]{36}) (\d{1,3})$/.exec(pressed) ?? []
  const thread_id = post_id ? await findThreadOfPost(deps.db, channel.id, post_id) : null
  if (!post_id || thread_id === null) return false
  await insertEvent(deps.db, {
    ...{
      channel_id: channel.id,
      thread_id,
      kind: 'press',
      sender: activity.from.id,
      post_id,
      choice: Number(choice),
    },
    foreign_id: `press ${activity.conversation.id} ${activity.id}`,
  })
  return true
}

/** An unknown connection is refused like a wrong token. Only forged events count, because everybody's events come from the same addresses. */
async function assertGenuine(
  deps: Deps,
  verify: VerifyToken,
  channelId: string,
  request: FastifyRequest,
  body: Record<string, unknown>,
): Promise<StoredChannel> {
  try {
    const channel = await findChannel(deps.db, channelId)
    const signed = Signed.safeParse(body)
    const [scheme, token = ''] = String(request.headers.authorization ?? '').split(' ')
    if (channel?.kind !== 'teams' || !signed.success || scheme?.toLowerCase() !== 'bearer')
      throw refused('is missing or does not fit')
    const { serviceUrl, channelId: service } = signed.data
    const origin = URL.parse(serviceUrl)?.origin ?? ''
    if (!channel.services.includes(origin)) throw refused('names a service address that is not allowed')
    const expected = {
      metadata: channel.issuer,
      audience: channel.app_id,
      serviceUrl,
      service,
      now: deps.clock.now(),
    }
    await verify(token, expected)
    return channel
  } catch (error) {
    if (error instanceof AppError && error.code === 'wrong_credentials')
      await takeTurn(deps, 'channel_address', countedAddress(request.ip))
    throw error
  }
}
