import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { ItemRefused, SignedOut, SourceBusy, type SourceContext } from '../../define-connector.ts'
import { type Ask, type JsonRequests, requestsTo, signIn } from '../../requests/json-requests.ts'
import { once } from '../../requests/once.ts'
import { secondsOf } from '../../source-requests.ts'

export const DEFAULT_ADDRESS = 'https://slack.com'
const PAGE = 200
/** Pages of one list, such as the people of a workspace. */
const MAX_PAGES = 1_000

const Next = z.nullish(z.object({ next_cursor: z.nullish(z.string()) }))
const Channel = z.object({
  id: z.string(),
  name: z.nullish(z.string()),
  is_member: z.nullish(z.boolean()),
  is_private: z.nullish(z.boolean()),
})
const Person = z.object({
  id: z.string(),
  name: z.nullish(z.string()),
  real_name: z.nullish(z.string()),
  deleted: z.nullish(z.boolean()),
  is_bot: z.nullish(z.boolean()),
  is_restricted: z.nullish(z.boolean()),
  is_ultra_restricted: z.nullish(z.boolean()),
  is_stranger: z.nullish(z.boolean()),
  is_email_confirmed: z.nullish(z.boolean()),
  profile: z.nullish(z.object({ display_name: z.nullish(z.string()), email: z.nullish(z.string()) })),
})
export type Person = z.infer<typeof Person>
export type Channel = { id: string; name: string; isPrivate: boolean }
const Channels = z.object({ channels: z.array(Channel), response_metadata: Next })
const People = z.object({ members: z.array(Person), response_metadata: Next })
const Members = z.object({ members: z.array(z.string()), response_metadata: Next })
const Team = z.object({ url: z.string() })

/** Slack no longer has the channel, or the thread in it. */
export class SlackMissing extends ItemRefused {
  readonly isThread: boolean

  constructor(error: string) {
    super('not_found', `Slack does not give the channel (${error}).`)
    this.isThread = goneThreads.has(error)
  }
}

/** The workspace of a bot token. Lists are read once. */
export type Workspace = {
  host: string
  ask<T>(method: string, shape: z.ZodType<T>, options?: Ask): Promise<T>
  /** Channels that the bot is a member of. */
  channels(): Promise<Channel[]>
  /** Asks again whether the bot is a member of a channel. */
  isMemberOf(channelId: string): Promise<boolean>
  people(): Promise<Map<string, Person>>
  /** Ids of the people in a channel. */
  membersOf(channelId: string): Promise<string[]>
  /** Begins the addresses of messages; null when it is not known. */
  address(): Promise<string | null>
}

export function openWorkspace(context: SourceContext): Workspace {
  const { address, token } = context.settings
  const requests = requestsTo(context, `${address || DEFAULT_ADDRESS}/api/`, signIn(undefined, token))
  const ask: Workspace['ask'] = (method, shape, options) =>
    requests.ask(method, shape, {
      ...options,
      assertDone: (answer, headers) => assertDone(requests, answer, headers),
    })
  return {
    host: requests.host,
    ask,
    channels: once(() => listChannels(ask)),
    isMemberOf: async (channel) => (await listChannels(ask)).some(({ id }) => id === channel),
    people: once(async () => {
      const all = await listAll(ask, 'users.list', People, {})
      return new Map(all.flatMap(({ members }) => members.map((one) => [one.id, one])))
    }),
    membersOf: async (channel) => {
      const all = await listAll(ask, 'conversations.members', Members, { channel }, { isFurther: true })
      return all.flatMap(({ members }) => members)
    },
    address: once(async () => {
      const { url } = await ask('auth.test', Team)
      return URL.parse(url)?.protocol === 'https:' ? new URL(url).origin : null
    }),
  }
}

async function listChannels(ask: Workspace['ask']): Promise<Channel[]> {
  const types = 'public_channel,private_channel'
  const all = await listAll(ask, 'conversations.list', Channels, { types })
  return all
    .flatMap(({ channels }) => channels)
    .filter(({ is_member }) => is_member)
    .map(({ id, name, is_private }) => ({ id, name: name ?? id, isPrivate: is_private !== false }))
}

/** Returns all pages of a list. @throws AppError `unavailable` for cursors without an end */
async function listAll<T extends { response_metadata?: z.infer<typeof Next> }>(
  ask: Workspace['ask'],
  method: string,
  shape: z.ZodType<T>,
  query: Record<string, string>,
  { isFurther = false } = {},
): Promise<T[]> {
  const pages: T[] = []
  let cursor: string | undefined
  while (pages.length < MAX_PAGES) {
    const options = { query: { ...query, limit: PAGE, cursor }, isFurther: isFurther || pages.length > 0 }
    const page = await ask(method, shape, options)
    pages.push(page)
    const next = page.response_metadata?.next_cursor
    if (!next) return pages
    if (next === cursor) break
    cursor = next
  }
  throw new AppError('unavailable', `Slack sends a list without an end (${method}).`)
}

const Refusal = z.object({ ok: z.boolean(), error: z.nullish(z.string()), needed: z.nullish(z.string()) })
/** Errors that end the sign-in, concern one channel, or may pass. */
const signedOut = new Set([
  ...['invalid_auth', 'not_authed', 'token_revoked', 'token_expired', 'account_inactive', 'missing_scope'],
  ...['not_allowed_token_type', 'ekm_access_denied', 'org_login_required', 'two_factor_setup_required'],
])
const goneChannels = new Set(['channel_not_found', 'not_in_channel'])
const goneThreads = new Set(['thread_not_found', 'message_not_found'])
const passing = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
])

/** Slack reports errors with the status 200. @throws SignedOut, SourceBusy, ItemRefused, AppError `unavailable` */
function assertDone({ host }: JsonRequests, answer: unknown, headers: Headers): void {
  const { data } = Refusal.safeParse(answer)
  if (!data) throw new AppError('unavailable', `${host} does not answer as Slack.`)
  if (data.ok) return
  const error = (data.error ?? 'unknown_error').slice(0, 100)
  if (error === 'ratelimited' || error === 'rate_limited')
    throw new SourceBusy(secondsOf(headers.get('retry-after')))
  if (error === 'missing_scope')
    throw new SignedOut(`The token lacks the scope ${(data.needed ?? '').slice(0, 100)}.`)
  if (signedOut.has(error)) throw new SignedOut(`Slack refuses the token (${error}).`)
  if (goneChannels.has(error) || goneThreads.has(error)) throw new SlackMissing(error)
  if (passing.has(error)) throw new AppError('unavailable', `Slack fails now (${error}).`)
  throw new ItemRefused('refused', `Slack refuses it (${error}).`)
}
