import { type Answered, type Asked, pageOf, type SourceServer, startSourceServer } from './source-server.ts'

export type SlackMessage = {
  ts: string
  user: string
  text: string
  edited?: { ts: string }
  subtype?: string
  replies?: SlackMessage[]
}
type Person = {
  id: string
  name: string
  email?: string
  guest?: boolean
  unconfirmed?: boolean
  deleted?: boolean
}

/** A workspace of Slack. */
export type SlackServer = SourceServer & {
  channels: Map<string, { name: string; isPrivate: boolean; isMember: boolean; members: string[] }>
  messages: Map<string, SlackMessage[]>
  people: Person[]
  /** Error of every answer, or null. */
  error: string | null
  /** Called before the answer to a method. */
  before: (method: string) => void
}

export async function startSlackServer(): Promise<SlackServer> {
  const data = {
    ...{ channels: new Map(), messages: new Map(), people: [], error: null, before: () => undefined },
  }
  const server = await startSourceServer((request) => {
    const method = request.path.replace('/api/', '')
    slack.before(method)
    if (request.authorization !== 'Bearer xoxb-1') return { json: { ok: false, error: 'invalid_auth' } }
    if (slack.error) return { json: { ok: false, error: slack.error, needed: 'users:read' } }
    return answer(slack, method, request)
  })
  const slack: SlackServer = Object.assign(server, data) as SlackServer
  return slack
}

const refused = (error: string): Answered => ({ json: { ok: false, error } })

function answer(slack: SlackServer, method: string, { query }: Asked): Answered {
  const cursor = query.get('cursor')
  const list = (name: string, all: readonly unknown[]): Answered => {
    const { items, next } = pageOf(slack, all, cursor)
    const response_metadata = { next_cursor: next ?? '' }
    return { json: { ok: true, [name]: items, has_more: next !== null, response_metadata } }
  }
  if (method === 'auth.test') return { json: { ok: true, url: 'https://acme.slack.com/' } }
  if (method === 'users.list') return list('members', slack.people.map(personOf))
  if (method === 'conversations.list')
    return list(
      'channels',
      [...slack.channels].map(([id, { name, isPrivate, isMember }]) => ({
        ...{ id, name, is_private: isPrivate, is_member: isMember },
      })),
    )
  const channel = slack.channels.get(query.get('channel') ?? '')
  if (!channel) return refused('channel_not_found')
  if (!channel.isMember) return refused('not_in_channel')
  if (method === 'conversations.members') return list('members', channel.members)
  const all = slack.messages.get(query.get('channel') ?? '') ?? []
  if (method === 'conversations.history') {
    const [latest, oldest] = [Number(query.get('latest') ?? 1e12), Number(query.get('oldest') ?? 0)]
    const isInclusive = query.get('inclusive') === 'true'
    const isWithin = ({ ts }: SlackMessage) => {
      const time = Number(ts)
      if (!(time < 1e12)) return true
      return isInclusive ? time <= latest && time >= oldest : time < latest && time > oldest
    }
    return list(
      'messages',
      all
        .filter(isWithin)
        .sort((a, b) => (a.ts < b.ts ? 1 : -1))
        .map(shown),
    )
  }
  const parent = all.find(({ ts }) => ts === query.get('ts'))
  return parent ? list('messages', [shown(parent), ...(parent.replies ?? [])]) : refused('thread_not_found')
}

function shown({ replies, ...message }: SlackMessage) {
  if (!replies?.length) return message
  const [thread_ts, latest_reply] = [message.ts, replies.at(-1)?.ts]
  return { ...message, thread_ts, reply_count: replies.length, latest_reply }
}

const personOf = ({ id, name, email, guest, unconfirmed, deleted }: Person) => ({
  ...{
    id,
    name: name.toLowerCase(),
    deleted: deleted ?? false,
    is_bot: false,
    is_restricted: guest ?? false,
  },
  ...{ is_email_confirmed: !unconfirmed, profile: { display_name: name, email } },
})
