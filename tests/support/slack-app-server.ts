import { createHmac } from 'node:crypto'
import {
  type Answered,
  type Asked,
  pageOf,
  type SourceServer,
  startSourceServer,
} from './sources/source-server.ts'

export const BOT_TOKEN = 'xoxb-recorded'
export const SIGNING_SECRET = 'of-the-recorded-slack'
export const TEAM = 'T1'
export const BOT = 'UBOT'

export type SlackPerson = {
  id: string
  email?: string
  team?: string
  isConfirmed?: boolean
  isBot?: boolean
}
export type SlackPost = {
  channel: string
  ts: string
  thread_ts: string
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: blocks of Slack have many shapes
  blocks: any[]
  metadata: { event_payload: { id: string } } | null
  edits: number
  /** Slack fetches media that a message links to, unless the message forbids it. */
  fetchesMedia?: boolean
}

/** A workspace of Slack with our app in it, as it answered on record: forms in, `ok` out, errors with the status 200. */
export type SlackAppServer = SourceServer & {
  people: SlackPerson[]
  channels: Map<string, { name: string; members: string[] }>
  posts: SlackPost[]
  ephemerals: { channel: string; user: string; text: string }[]
  /** Scopes that the token lacks, by method. */
  lacks: Map<string, string>
  calls: (method: string) => number
}

export async function startSlackAppServer(): Promise<SlackAppServer> {
  const server = await startSourceServer((request) => {
    const method = request.path.replace('/api/', '')
    if (request.authorization !== `Bearer ${BOT_TOKEN}`) return refused('invalid_auth')
    const scope = slack.lacks.get(method)
    if (scope) return { json: { ok: false, error: 'missing_scope', needed: scope } }
    return (methods[method] ?? (() => refused('unknown_method')))(slack, request)
  })
  const slack: SlackAppServer = Object.assign(server, {
    ...{
      people: [{ id: BOT, isBot: true }],
      channels: new Map(),
      posts: [],
      ephemerals: [],
      lacks: new Map(),
    },
    calls: (method: string) => server.requests.filter((one) => one.startsWith(`POST /api/${method}`)).length,
  }) as SlackAppServer
  return slack
}

const refused = (error: string): Answered => ({ json: { ok: false, error } })

let clock = 0
const stamp = () => `1700000000.${String(++clock).padStart(6, '0')}`

const methods: Record<string, (slack: SlackAppServer, request: Asked) => Answered> = {
  'auth.test': () => ({
    json: {
      ok: true,
      url: 'https://acme.slack.com/',
      team: 'Acme',
      user: 'atrium',
      team_id: TEAM,
      user_id: BOT,
    },
  }),
  'users.info': ({ people }, { body }) => {
    const found = people.find(({ id }) => id === body.user)
    if (!found) return refused('user_not_found')
    const { id, email, team = TEAM, isConfirmed = true, isBot = false } = found
    const flags = {
      is_bot: isBot,
      is_email_confirmed: isConfirmed,
      deleted: false,
      is_stranger: team !== TEAM,
    }
    return {
      json: { ok: true, user: { id, name: id.toLowerCase(), team_id: team, ...flags, profile: { email } } },
    }
  },
  'conversations.list': (slack, { body }) =>
    list(
      slack,
      body,
      'channels',
      [...slack.channels].map(([id, { name }]) => ({ id, name, is_member: true })),
    ),
  'conversations.members': (slack, { body }) => {
    const channel = slack.channels.get(body.channel)
    return channel ? list(slack, body, 'members', channel.members) : refused('channel_not_found')
  },
  'conversations.replies': (slack, { body }) =>
    list(slack, body, 'messages', [
      { ts: body.ts, text: 'the first message' },
      ...slack.posts.filter(({ channel, thread_ts }) => channel === body.channel && thread_ts === body.ts),
    ]),
  'chat.postMessage': ({ posts }, { body }) => {
    const ts = stamp()
    const metadata = body.metadata ? JSON.parse(body.metadata) : null
    const { channel, thread_ts, text } = body
    const fetchesMedia = body.unfurl_media !== 'false'
    posts.push({
      ...{ channel, thread_ts, text, ts, metadata, edits: 0, fetchesMedia },
      blocks: JSON.parse(body.blocks),
    })
    return { json: { ok: true, channel, ts } }
  },
  'chat.update': ({ posts }, { body }) => {
    const post = posts.find(({ ts }) => ts === body.ts)
    if (!post) return refused('message_not_found')
    const fetchesMedia = post.fetchesMedia || body.unfurl_media !== 'false'
    Object.assign(post, {
      text: body.text,
      blocks: JSON.parse(body.blocks),
      edits: post.edits + 1,
      fetchesMedia,
    })
    return { json: { ok: true } }
  },
  'chat.postEphemeral': ({ ephemerals }, { body }) => {
    ephemerals.push({ channel: body.channel, user: body.user, text: body.text })
    return { json: { ok: true } }
  },
}

function list(
  slack: SlackAppServer,
  body: Record<string, string>,
  name: string,
  all: readonly unknown[],
): Answered {
  const { items, next } = pageOf(slack, all, body.cursor ?? null)
  return { json: { ok: true, [name]: items, response_metadata: { next_cursor: next ?? '' } } }
}

/** Returns the headers by which Slack signs a body. */
export function signSlack(
  body: string,
  { secret = SIGNING_SECRET, at = new Date() } = {},
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${digest}` }
}

type Message = { channel: string; user: string; text: string; ts?: string; thread_ts?: string; type?: string }

/** Returns an event as Slack sends it. A mention in a channel; `im` makes it a direct message. */
export function slackEvent({
  ts = stamp(),
  type = 'app_mention',
  ...event
}: Message & { channel_type?: string }) {
  return {
    ...{ type: 'event_callback', team_id: TEAM, event_id: `Ev${ts}${type}`, event_time: 1_700_000_000 },
    event: { type, ts, ...event },
  }
}

/** Returns the press of a button as Slack sends it. */
export function slackPress(post: SlackPost, user: string, button: number) {
  const actions = post.blocks.find(({ type }) => type === 'actions')
  const { action_id, value } = actions.elements[button]
  return {
    ...{
      type: 'block_actions',
      user: { id: user, team_id: TEAM },
      team: { id: TEAM },
      channel: { id: post.channel },
    },
    container: { type: 'message', message_ts: post.ts, channel_id: post.channel },
    actions: [{ type: 'button', action_id, value, action_ts: stamp() }],
  }
}
