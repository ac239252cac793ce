import type { Redis } from 'ioredis'
import type { Log } from '../log.ts'
import type { Bus } from './bus.ts'
import { createListeners } from './local.ts'

const stream = 'atrium:bus'
/** About this many messages are kept for readers that come back after a short break. */
const keptMessages = 100_000
const blockMs = 5_000
const readCount = 1_000
const retryMs = 500

/**
 * The bus of several processes: one Redis stream that all of them write and read. A reader that lost the
 * connection goes on where it was. Messages of this process come back the same way, in the same order.
 */
export function createRedisBus(url: string, log: Log): Bus {
  const listeners = createListeners()
  const ready = open(url, log)
  let isClosed = false

  const follow = async () => {
    const { reader, last } = await ready
    let after = last
    while (!isClosed) {
      try {
        const found = await reader.xread('COUNT', readCount, 'BLOCK', blockMs, 'STREAMS', stream, after)
        for (const [id, [, topic = '', , message = '']] of found?.[0]?.[1] ?? []) {
          after = id
          listeners.tell(topic, message)
        }
      } catch (error) {
        if (isClosed) return
        log.warn({ error }, 'The bus could not be read.')
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }
  follow().catch((error) => log.error({ error }, 'The bus could not be opened.'))

  return {
    isShared: true,
    subscribe: listeners.add,
    publish: (topic, message) => {
      ready
        .then(({ writer }) =>
          writer.xadd(stream, 'MAXLEN', '~', keptMessages, '*', 'topic', topic, 'message', message),
        )
        .catch((error) => log.warn({ error }, 'A message could not be put on the bus.'))
    },
    close: async () => {
      isClosed = true
      const { reader, writer } = await ready
      reader.disconnect()
      await writer.quit().catch(() => writer.disconnect())
    },
  }
}

/** Two connections: a reader that waits cannot write. */
async function open(url: string, log: Log): Promise<{ reader: Redis; writer: Redis; last: string }> {
  const { Redis } = await import('ioredis')
  const connect = () => {
    const client = new Redis(url, {
      maxRetriesPerRequest: null,
      retryStrategy: (times) => Math.min(times * 100, 2_000),
    })
    client.on('error', (error) => log.warn({ error }, 'Redis cannot be reached.'))
    return client
  }
  const [reader, writer] = [connect(), connect()]
  const [newest] = await writer.xrevrange(stream, '+', '-', 'COUNT', 1)
  return { reader, writer, last: newest?.[0] ?? '0-0' }
}
