import { createHash } from 'node:crypto'
import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { ItemRefused, type SourceItem } from '../../define-connector.ts'
import { repeatedList, unfinishedList } from '../../requests/guard-cursors.ts'
import { nameOf } from '../../requests/item-names.ts'
import { type Channel, SlackMissing, type Workspace } from './workspace.ts'

const PAGE = 200
/** Pages of one day, and of one thread. Later messages are left out. */
const [MAX_DAY_PAGES, MAX_THREAD_PAGES] = [100, 50]
/** Threads with a reply within this time are looked at for changed replies, which their first message does not tell. */
const RECENT_MS = 7 * 86_400_000
const DAY_SECONDS = 86_400
/** Threads of a day that are read with their replies. Slack allows about 50 requests in a minute, and an item has two minutes. */
const MAX_THREADS = 60

const File = z.object({ name: z.nullish(z.string()), title: z.nullish(z.string()) })
const Attached = z.object({
  fallback: z.nullish(z.string()),
  title: z.nullish(z.string()),
  text: z.nullish(z.string()),
})
const Message = z.object({
  ts: z.string(),
  subtype: z.nullish(z.string()),
  user: z.nullish(z.string()),
  username: z.nullish(z.string()),
  bot_profile: z.nullish(z.object({ name: z.nullish(z.string()) })),
  text: z.nullish(z.string()),
  edited: z.nullish(z.object({ ts: z.string() })),
  thread_ts: z.nullish(z.string()),
  reply_count: z.nullish(z.number()),
  latest_reply: z.nullish(z.string()),
  files: z.nullish(z.array(File)),
  attachments: z.nullish(z.array(Attached)),
})
export type Message = z.infer<typeof Message>
const Messages = z.object({
  messages: z.array(Message),
  has_more: z.nullish(z.boolean()),
  response_metadata: z.nullish(z.object({ next_cursor: z.nullish(z.string()) })),
})

/** Messages about the channel itself. */
const notices = /^(channel|group)_(join|leave|name|topic|purpose|archive|unarchive|convert_to_private)$/

/** Returns the day in UTC of a message, such as `2026-11-02`; null for a time that cannot be. */
function dayOf({ ts }: Message): string | null {
  const seconds = Number(ts)
  return seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000).toISOString().slice(0, 10) : null
}

const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000

/** Groups messages by day. Notices are left out; messages without a valid time too. */
function byDay(messages: readonly Message[]): Map<string, Message[]> {
  const days = new Map<string, Message[]>()
  for (const message of messages) {
    const day = dayOf(message)
    if (day === null) continue
    const known = days.get(day)
    if (known) known.push(message)
    else days.set(day, [message])
  }
  return days
}

/**
 * Lists whole days of a channel before a time, newest first. The cursor is the start of the oldest listed day, so it does not expire. A
 * refusal after some days ends the page behind them. A channel that the bot has left has no days.
 * @throws SignedOut, SourceBusy, AppError `unavailable`
 */
export async function listDays(
  workspace: Workspace,
  channel: Channel,
  before: string | null,
): Promise<{ items: SourceItem[]; next: string | null }> {
  const items: SourceItem[] = []
  let listed: string | null = null
  try {
    const { days, next } = await wholeDays(workspace, channel, before)
    for (const day of [...days.keys()].sort().reverse()) {
      const said = (days.get(day) ?? []).filter(({ subtype }) => !notices.test(subtype ?? ''))
      if (said.length > 0) items.push(await itemOf(workspace, channel, day, said))
      listed = day
    }
    return { items, next }
  } catch (error) {
    if (listed !== null) return { items, next: `${startOf(listed)}.000000` }
    if (!(error instanceof SlackMissing)) throw error
    if (await workspace.isMemberOf(channel.id)) throw new AppError('unavailable', error.message)
    return { items: [], next: null }
  }
}

async function wholeDays({ ask, host }: Workspace, { id }: Channel, before: string | null) {
  const found: Message[] = []
  let cursor: string | undefined
  for (let pages = 1; ; pages += 1) {
    const query = { channel: id, latest: before ?? undefined, limit: PAGE, cursor }
    const page = await ask('conversations.history', Messages, { query, isFurther: pages > 1 })
    found.push(...page.messages)
    const days = byDay(found)
    const [last, ...others] = [...days.keys()].sort()
    const next = page.response_metadata?.next_cursor
    if (!page.has_more) return { days, next: null }
    if (next && next === cursor) throw repeatedList(host)
    if (last !== undefined && (others.length > 0 || pages === MAX_DAY_PAGES)) {
      // The last day may continue on the next page.
      if (others.length > 0) days.delete(last)
      const start = startOf([...days.keys()].sort()[0] ?? last)
      if (before !== null && start >= Number(before)) throw repeatedList(host)
      return { days, next: `${start}.000000` }
    }
    if (!next) throw unfinishedList(host)
    if (pages === MAX_DAY_PAGES) throw new AppError('unavailable', 'Slack sends a list without an end.')
    cursor = next
  }
}

async function itemOf(
  workspace: Workspace,
  channel: Channel,
  day: string,
  messages: readonly Message[],
): Promise<SourceItem> {
  const [team, name] = [await workspace.address(), nameOf(channel.name)]
  const times = messages.flatMap(({ ts, latest_reply, edited }) => [ts, latest_reply ?? ts, edited?.ts ?? ts])
  const first = messages.map(({ ts }) => ts).sort()[0] ?? ''
  return {
    ...{ id: `${channel.id}/${day}`, version: await versionOf(workspace, channel, messages) },
    ...{ name: `${name} ${day}.html`, path: `${name}/${name} ${day}.html`, size: null },
    ...(team && { url: `${team}/archives/${encodeURIComponent(channel.id)}/p${first.replace('.', '')}` }),
    created_at: new Date(Number(first) * 1000),
    changed_at: new Date(Math.max(...times.map(Number).filter((time) => time < 1e11)) * 1000),
    // Members see a public channel without joining it; guests see the channels they are in.
    readers: [membersKey(channel.id), ...(channel.isPrivate ? [] : [WORKSPACE_KEY])],
  }
}

export const WORKSPACE_KEY = 'group:workspace'
export const membersKey = (channelId: string): string => `group:channel ${channelId}`

async function versionOf(
  workspace: Workspace,
  channel: Channel,
  messages: readonly Message[],
): Promise<string> {
  const hash = createHash('sha256')
  for (const message of [...messages].sort((a, b) => (a.ts < b.ts ? -1 : 1))) {
    const { ts, text, edited, reply_count, latest_reply, files } = message
    hash.update(JSON.stringify([ts, text, edited?.ts, reply_count, latest_reply, files?.length]))
    const isRecent = Number(latest_reply ?? 0) * 1000 > Date.now() - RECENT_MS
    if (!isRecent) continue
    const changed = (await listReplies(workspace, channel.id, message)).filter((reply) => reply.edited)
    if (changed.length > 0) hash.update(JSON.stringify(changed.map((reply) => [reply.ts, reply.edited?.ts])))
  }
  return hash.digest('base64url')
}

/** A message with its replies; `leftOut` counts those that were not read. */
export type Thread = { message: Message; replies: Message[]; leftOut: number }

/** Returns the messages of a day in order, each with the replies of its thread. */
export async function readDay(
  workspace: Workspace,
  channel: string,
  day: string,
  signal: AbortSignal,
): Promise<Thread[]> {
  const [from, to] = [startOf(day), startOf(day) + DAY_SECONDS]
  const query = { channel, oldest: `${from}.000000`, latest: `${to}.000000`, inclusive: 'true' }
  const all = await listMessages(workspace, 'conversations.history', query, MAX_DAY_PAGES, signal)
  const said = all.filter((one) => dayOf(one) === day && !notices.test(one.subtype ?? ''))
  if (said.length === 0) throw new ItemRefused('not_found', 'The messages of the day are deleted.')
  const threads: Thread[] = []
  let left = MAX_THREADS
  for (const message of said.sort((a, b) => (a.ts < b.ts ? -1 : 1))) {
    const isRead = !hasReplies(message) || left > 0
    if (hasReplies(message)) left -= 1
    threads.push({
      message,
      replies: isRead ? await listReplies(workspace, channel, message, signal) : [],
      leftOut: isRead ? 0 : (message.reply_count ?? 0),
    })
  }
  return threads
}

const hasReplies = ({ ts, thread_ts, reply_count }: Message): boolean =>
  !!reply_count && (!thread_ts || thread_ts === ts)

/** Returns the replies to a message, without the message; none for a thread that is deleted meanwhile. */
async function listReplies(
  workspace: Workspace,
  channel: string,
  message: Message,
  signal?: AbortSignal,
): Promise<Message[]> {
  if (!hasReplies(message)) return []
  const { ts } = message
  const query = { channel, ts }
  const all = await listMessages(workspace, 'conversations.replies', query, MAX_THREAD_PAGES, signal).catch(
    (error) => {
      if (error instanceof SlackMissing && error.isThread) return []
      throw error
    },
  )
  return all
    .filter((reply) => reply.ts !== ts && dayOf(reply) !== null)
    .sort((a, b) => (a.ts < b.ts ? -1 : 1))
}

async function listMessages(
  { ask, host }: Workspace,
  method: string,
  query: Record<string, string>,
  maxPages: number,
  signal: AbortSignal | undefined,
): Promise<Message[]> {
  const found: Message[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < maxPages; pages += 1) {
    const isFurther = pages > 0 || method === 'conversations.replies'
    const options = { query: { ...query, limit: PAGE, cursor }, isFurther, ...(signal && { signal }) }
    const page = await ask(method, Messages, options)
    found.push(...page.messages)
    const next = page.response_metadata?.next_cursor
    if (!page.has_more) break
    if (!next) throw unfinishedList(host)
    if (next === cursor) throw repeatedList(host)
    cursor = next
  }
  return found
}
