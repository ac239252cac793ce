import type pg from 'pg'

type Callback = (error: Error | undefined, client: pg.PoolClient, release: () => void) => void
type Shared = { client: pg.PoolClient; users: number; end: () => void }

/**
 * Lets all runners of the queue's library listen for jobs on one connection of the pool. The library takes one for each runner, and is the only user of
 * the callback form of `connect`.
 */
export function shareListener(pool: pg.Pool): pg.Pool {
  let opening: Promise<Shared> | null = null
  const open = (): Promise<Shared> => {
    const mine = pool.connect().then((client) => {
      const forget = () => {
        if (opening === mine) opening = null
      }
      client.setMaxListeners(0)
      client.once('error', forget)
      const end = () => {
        forget()
        client.off('error', forget)
        client.release()
      }
      return { client, users: 0, end }
    })
    mine.catch(() => {
      opening = null
    })
    return mine
  }
  const listen = (callback: Callback) => {
    opening ??= open()
    opening.then(
      (shared) => callback(undefined, ...joinShared(shared)),
      (error) => callback(error, undefined as never, () => undefined),
    )
  }
  return new Proxy(pool, {
    get: (target, name) => {
      if (name === 'connect') return (callback?: Callback) => (callback ? listen(callback) : target.connect())
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Returns a client for one more runner, with only what a listener needs, and the function that releases it. */
function joinShared(shared: Shared): [pg.PoolClient, () => void] {
  const { client } = shared
  shared.users += 1
  const own = {
    on: (name: string, listener: () => void) => client.on(name as 'error', listener),
    removeListener: (name: string, listener: () => void) => client.removeListener(name, listener),
    // The others still listen.
    query: async (text: string) =>
      text.startsWith('UNLISTEN') && shared.users > 1 ? undefined : client.query(text),
  }
  const release = () => {
    shared.users -= 1
    if (shared.users === 0) shared.end()
  }
  return [own as unknown as pg.PoolClient, release]
}
