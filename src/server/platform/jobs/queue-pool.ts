import type pg from 'pg'

type Callback = (error: Error | undefined, client: pg.PoolClient, release: () => void) => void
type Shared = {
  client: pg.PoolClient
  users: number
  hasEnded: boolean
  listening?: Promise<unknown>
  end: () => void
}

type Listener = (message: unknown) => void

/** Notification channel of the library. A message means that a job may begin. */
const JOB_CHANNEL = 'jobs:insert'

/** Connections that all runners together use for queries. */
const MAX_QUERYING = 3

/**
 * The pool as the runners of the queue's library see it: they share one connection to listen for jobs, and a few for their short queries. The library
 * takes connections to listen by the callback form of `connect`, and others as a promise. Notifications of jobs go to `onJob` instead of the runners.
 */
export function queuePool(pool: pg.Pool, onJob: () => void): pg.Pool {
  const listen = shareListener(pool, onJob)
  const connect = limitConnections(pool)
  return new Proxy(pool, {
    get: (target, name) => {
      if (name === 'connect') return (callback?: Callback) => (callback ? listen(callback) : connect())
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Returns `connect` of the pool for `MAX_QUERYING` connections at a time. */
function limitConnections(pool: pg.Pool): () => Promise<pg.PoolClient> {
  let querying = 0
  const waiting: (() => void)[] = []
  const leave = () => {
    querying -= 1
    waiting.shift()?.()
  }
  return async () => {
    while (querying >= MAX_QUERYING) await new Promise<void>((resolve) => waiting.push(resolve))
    querying += 1
    try {
      const client = await pool.connect()
      const { release } = client
      client.release = (error) => {
        client.release = release
        release.call(client, error)
        leave()
      }
      return client
    } catch (error) {
      leave()
      throw error
    }
  }
}

function shareListener(pool: pg.Pool, onJob: () => void): (callback: Callback) => void {
  const hear = ({ channel }: pg.Notification) => {
    if (channel === JOB_CHANNEL) onJob()
  }
  let current: Promise<Shared> | null = null
  const open = (): Promise<Shared> => {
    const mine = pool.connect().then((client) => {
      const forget = () => {
        if (current === mine) current = null
      }
      client.setMaxListeners(0)
      client.once('error', forget)
      client.on('notification', hear)
      const end = () => {
        shared.hasEnded = true
        forget()
        client.off('error', forget)
        client.off('notification', hear)
        // A connection that broke, or still listens, does not return to the pool.
        client.query('UNLISTEN *').then(
          () => client.release(),
          (error) => client.release(error),
        )
      }
      const shared: Shared = { client, users: 0, hasEnded: false, end }
      return shared
    })
    mine.catch(() => {
      if (current === mine) current = null
    })
    return mine
  }
  const join = async (): Promise<Shared> => {
    current ??= open()
    const shared = await current
    // The runners that waited before this one may all have released it already.
    if (shared.hasEnded) return join()
    shared.users += 1
    return shared
  }
  return (callback) => {
    join().then(
      (shared) => callback(undefined, ...clientOf(shared)),
      (error) => callback(error, undefined as never, () => undefined),
    )
  }
}

/** Returns the shared client for one runner, with only what a listener needs, and the function that releases it. */
function clientOf(shared: Shared): [pg.PoolClient, () => void] {
  const { client } = shared
  let isReleased = false
  const wrapped = new Map<Listener, Listener>()
  const own = {
    on: (name: string, listener: Listener) => {
      const heard = name === 'notification' ? withoutJobs(listener) : listener
      wrapped.set(listener, heard)
      client.on(name as 'error', heard)
    },
    removeListener: (name: string, listener: Listener) =>
      client.removeListener(name, wrapped.get(listener) ?? listener),
    // The first runner listens for all. The connection stops listening when the last one releases it.
    query: async (text: string) => {
      if (text.startsWith('UNLISTEN')) return
      shared.listening ??= client.query(text)
      return shared.listening
    },
  }
  const release = () => {
    if (isReleased) return
    isReleased = true
    shared.users -= 1
    if (shared.users === 0) shared.end()
  }
  return [own as unknown as pg.PoolClient, release]
}

/** Returns a listener that gets the notifications that are not about jobs. */
const withoutJobs =
  (listener: Listener): Listener =>
  (message) => {
    if ((message as pg.Notification).channel !== JOB_CHANNEL) listener(message)
  }
