import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Redis, RedisOptions } from 'ioredis'
import type { Log } from '../log.ts'
import type { Bus } from './bus-port.ts'
import { createListeners } from './local-bus.ts'

/** About this many messages of a topic are kept for readers that come back after a short break. */
const KEPT_MESSAGES = 2_000
/** A topic that nobody writes to any more disappears after this many seconds. */
const KEPT_SECONDS = 60
const BLOCK_MS = 2_000
const READ_COUNT = 1_000
const RETRY_MS = 200
/** A connection that gives no answer for this long is made anew. */
const SILENCE_MS = 5_000
/** Messages on their way to Redis; when it is slower than that, new ones are let go. */
const MAX_UNANSWERED = 1_000

const keyOf = (topic: string) => `atrium:bus:${topic}`

/**
 * The bus of several processes: a topic is a Redis stream, and a process reads those it listens to. A reader
 * that lost the connection goes on where it was. Nothing waits for Redis: while it is away, messages are let go.
 */
export function createRedisBus(url: string, log: Log): Bus {
  const listeners = createListeners()
  /** The newest message read, by topic. */
  const lastRead = new Map<string, string>()
  /** Ends a wait for messages, so that a new topic is read too. */
  const wakeTopic = `wake:${randomUUID()}`
  let connections: { reader: Redis; writer: Redis } | null = null
  let isClosed = false
  let write: (topic: string, message: string) => void = () => undefined

  const opening = open(url, log).then((opened) => {
    connections = opened
    write = createWriter(opened.writer, log)
    void follow(opened.reader)
    if (isClosed) closeAll()
  })
  opening.catch((error) => log.error({ error }, 'The bus could not be opened.'))

  async function follow(reader: Redis) {
    while (!isClosed) {
      try {
        if (reader.status !== 'ready') await once(reader, 'ready')
        await readOnce(reader, [wakeTopic, ...listeners.topics()])
      } catch (error) {
        if (isClosed) return
        log.debug({ error }, 'The bus could not be read.')
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }
  async function readOnce(reader: Redis, topics: string[]) {
    for (const topic of topics) {
      if (!lastRead.has(topic)) lastRead.set(topic, await findNewest(reader, topic))
    }
    const ids = topics.map((topic) => lastRead.get(topic) ?? '0-0')
    const keys = topics.map(keyOf)
    const found = await reader.xread('COUNT', READ_COUNT, 'BLOCK', BLOCK_MS, 'STREAMS', ...keys, ...ids)
    for (const [key, messages] of found ?? []) {
      const topic = topics[keys.indexOf(key)] ?? ''
      for (const [id, [, message = '']] of messages) {
        lastRead.set(topic, id)
        listeners.tell(topic, message)
      }
    }
  }
  function closeAll() {
    connections?.reader.disconnect()
    return connections?.writer.quit().catch(() => connections?.writer.disconnect())
  }

  return {
    isShared: true,
    publish: (topic, message) => write(topic, message),
    subscribe: (topic, listener) => {
      const isNew = !listeners.has(topic)
      const leave = listeners.add(topic, listener)
      if (isNew) write(wakeTopic, '')
      return () => {
        leave()
        if (!listeners.has(topic)) lastRead.delete(topic)
      }
    },
    close: async () => {
      isClosed = true
      await closeAll()
    },
  }
}

/** What was said before a reader listened is not for it. */
async function findNewest(reader: Redis, topic: string): Promise<string> {
  const [newest] = await reader.xrevrange(keyOf(topic), '+', '-', 'COUNT', 1)
  return newest?.[0] ?? '0-0'
}

function createWriter(writer: Redis, log: Log): (topic: string, message: string) => void {
  const renewedAt = new Map<string, number>()
  let unanswered = 0
  let isLosing = false
  const done = () => {
    unanswered -= 1
    isLosing = false
  }
  const fail = (error: unknown) => {
    unanswered -= 1
    if (!isLosing) log.warn({ error }, 'Messages could not be put on the bus.')
    isLosing = true
  }
  /** Says how long a topic is kept, now and then. */
  const renew = (topic: string) => {
    const now = performance.now()
    if (now - (renewedAt.get(topic) ?? Number.NEGATIVE_INFINITY) < (KEPT_SECONDS * 1000) / 4) return
    for (const [known, at] of renewedAt) if (now - at > KEPT_SECONDS * 1000) renewedAt.delete(known)
    renewedAt.set(topic, now)
    writer.expire(keyOf(topic), KEPT_SECONDS).catch(() => renewedAt.delete(topic))
  }
  return (topic, message) => {
    if (unanswered >= MAX_UNANSWERED) return
    unanswered += 1
    writer.xadd(keyOf(topic), 'MAXLEN', '~', KEPT_MESSAGES, '*', 'message', message).then(done, fail)
    renew(topic)
  }
}

/** Two connections: a reader that waits cannot write. Neither keeps commands for a Redis that is away. */
async function open(url: string, log: Log): Promise<{ reader: Redis; writer: Redis }> {
  const { Redis } = await import('ioredis')
  let isAway = false
  const options: RedisOptions = {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    retryStrategy: (times) => Math.min(times * 100, 1_000),
  }
  const connect = () => {
    const client = new Redis(url, options)
    client.on('error', (error) => {
      if (!isAway) log.warn({ error }, 'Redis cannot be reached: live events go through the database.')
      isAway = true
    })
    client.on('ready', () => {
      isAway = false
    })
    return client
  }
  return { reader: connect(), writer: connect() }
}
