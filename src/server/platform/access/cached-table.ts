/** The database's notifications, and the events of the connection that receives them. */
export type Notifications = {
  instance: {
    listen: (channel: string, callback: (payload: string) => void) => Promise<void>
    onLost: (callback: () => void) => void
    onRenewed: (callback: () => void) => void
  }
  log: { warn: (what: object, message: string) => void }
}

type Wish<T> = {
  channel: string
  read: () => Promise<T>
  /** Logged when the channel cannot be listened to. */
  warning: string
  /** Called after each notification with its payload, and with null when the connection was lost or renewed. */
  onChanged: (payload: string | null) => void
}

export type CachedTable<T> = {
  read: () => Promise<T>
  forget: () => void
  /** False without notifications: caches would go stale, so nothing may be cached. */
  mayCache: () => boolean
}

/** Caches what `read` returns until `forget`, or until the connection for notifications is lost or renewed. */
export function createCachedTable<T>(
  { instance, log }: Notifications,
  { channel, read, warning, onChanged }: Wish<T>,
): CachedTable<T> {
  let table: Promise<T> | null = null
  let listens = false
  const setListening = (now: boolean) => () => {
    listens = now
    table = null
    onChanged(null)
  }
  instance.onLost(setListening(false))
  instance.onRenewed(setListening(true))
  instance
    .listen(channel, onChanged)
    .then(setListening(true))
    .catch((error) => log.warn({ error }, warning))
  return {
    read: () => {
      const found = table ?? read()
      if (listens && table !== found) {
        table = found
        // A failed read is not cached, so the next call retries it.
        found.catch(() => {
          if (table === found) table = null
        })
      }
      return found
    },
    forget: () => {
      table = null
    },
    mayCache: () => listens,
  }
}
