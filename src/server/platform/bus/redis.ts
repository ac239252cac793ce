import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Redis, RedisOptions } from 'ioredis'
import type { Log } from '../log.ts'
import type { Bus } from './bus-port.ts'
import { createListeners } from './local-bus.ts'

/** Approximate number of messages retained per topic, for readers that reconnect after a short outage. */
const MAX_RETAINED_MESSAGES = 2_000
/** Seconds until an unused topic expires. */
const RETENTION_SECONDS = 60
const BLOCK_MS = 2_000
const READ_COUNT = 1_000
const RETRY_MS = 200
/** A connection without a response for this long is replaced. */
const SILENCE_MS = 5_000
/** Maximum messages in flight to Redis. Further messages are dropped. */
const MAX_IN_FLIGHT = 1_000

const keyOf = (topic: string) => `atrium:bus:${topic}`

/**
 * Creates the bus of several processes. Each topic is a Redis stream, and a reader resumes at its last position after a lost
 * connection. Nothing waits for Redis: messages are dropped while it is down.
 */
export function createRedisBus(url: string, log: Log): Bus {
  const listeners = createListeners()
  /** Id of the last message read, by topic. */
  const lastRead = new Map<string, string>()
  /** Interrupts a blocking read, so that it includes a new topic. */
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

/** Finds the newest message, because a new reader receives only later ones. */
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
  /** Extends the expiry of a topic from time to time. */
  const renew = (topic: string) => {
    const now = performance.now()
    if (now - (renewedAt.get(topic) ?? Number.NEGATIVE_INFINITY) < (RETENTION_SECONDS * 1000) / 4) return
    for (const [known, at] of renewedAt) if (now - at > RETENTION_SECONDS * 1000) renewedAt.delete(known)
    renewedAt.set(topic, now)
    writer.expire(keyOf(topic), RETENTION_SECONDS).catch(() => renewedAt.delete(topic))
  }
  return (topic, message) => {
    if (unanswered >= MAX_IN_FLIGHT) return
    unanswered += 1
    writer.xadd(keyOf(topic), 'MAXLEN', '~', MAX_RETAINED_MESSAGES, '*', 'message', message).then(done, fail)
    renew(topic)
  }
}

/** Opens two connections, since a blocked reader cannot write. Neither queues commands while Redis is down. */
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
