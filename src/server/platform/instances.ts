import { randomInt, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { type Connection, isUnreachable } from './db/db.ts'
import type { Log } from './log.ts'

/**
 * This process among all that share the database. It is alive while it holds an advisory lock on a connection of its own,
 * so its death is detected immediately, without heartbeats.
 */
export type Instance = {
  /** Changes after a lost lease, because other instances then own what the old id owned. */
  readonly id: string
  /** The lease is lost. Stop everything that depends on it immediately. */
  onLost(callback: () => void): void
  /** The process continues under a new id. */
  onRenewed(callback: () => void): void
  /** Another process has died. Called on workers only, before its row is deleted. */
  onDied(callback: (otherId: string) => Promise<void>): void
  isAlive(otherId: string): Promise<boolean>
  /** Returns whether another process of this installation is alive. */
  hasOthers(): Promise<boolean>
  /** Returns the number of live workers. */
  countWorkers(): Promise<number>
  /** Listens to a NOTIFY channel, also after reconnects. Messages sent while disconnected are lost. */
  listen(channel: string, callback: (payload: string) => void): Promise<void>
  /** Notifies all listeners of a channel. @throws for payloads of 8,000 bytes or more */
  notify(channel: string, payload: string): Promise<void>
  stop(): Promise<void>
}

type Options = Pick<Connection, 'pool' | 'connectAlone'> & {
  log: Log
  /** Whether it executes runs and jobs, and recovers those of dead processes. */
  works: boolean
  reapEveryMs?: number
}
type Ask = (sql: string, values?: unknown[]) => Promise<pg.QueryResult>
type Lease = { id: string; lockId: number; client: pg.Client; ask: Ask }

/** First of the two numbers of an instance's advisory lock. */
const lockClass = 7
const pingEveryMs = 5_000
const pingTimeoutMs = 5_000
/** A suspended process sends no pings, so PostgreSQL ends its session and with it the lease. */
const silenceMs = 20_000

const findLiving = `
  from instances i join pg_locks l
    on l.locktype = 'advisory' and l.classid = ${lockClass} and l.objid = i.lock_id::oid and l.objsubid = 2
    and l.granted and l.database = (select oid from pg_database where datname = current_database())`

/** Returns whether any process of this installation is alive. */
export async function hasLivingInstance(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rowCount } = await client.query(`select 1 ${findLiving} limit 1`)
  return rowCount === 1
}

/** Takes a lease and renews it under a new id after each loss. @throws if the database is unreachable */
export async function startInstance(options: Options): Promise<Instance> {
  const { pool, log, works, reapEveryMs = 1_000 } = options
  const lost: (() => void)[] = []
  const renewed: (() => void)[] = []
  const died: ((otherId: string) => Promise<void>)[] = []
  const channels = new Map<string, ((payload: string) => void)[]>()
  let isStopped = false
  let lease = await takeLease(options, channels)
  watch(lease)

  function watch(current: Lease) {
    current.client.on('notification', ({ channel, payload = '' }) => {
      for (const callback of channels.get(channel) ?? []) callback(payload)
    })
    current.client.once('end', () => {
      if (isStopped || lease !== current) return
      log.warn({ instance: current.id }, 'The lease on the database was lost.')
      for (const callback of lost) callback()
      void renew()
    })
  }

  async function renew() {
    for (let waitMs = 100; !isStopped; waitMs = Math.min(waitMs * 2, 2_000)) {
      try {
        const next = await takeLease(options, channels)
        if (isStopped) return void (await next.client.end())
        lease = next
        watch(next)
        for (const callback of renewed) callback()
        return
      } catch {
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      }
    }
  }

  const stopReaping = works ? every(reapEveryMs, () => reap(pool, lease.id, died, log)) : async () => {}
  const stopPinging = every(pingEveryMs, () => ping(lease))
  return {
    get id() {
      return lease.id
    },
    onLost: (callback) => void lost.push(callback),
    onRenewed: (callback) => void renewed.push(callback),
    onDied: (callback) => void died.push(callback),
    isAlive: async (otherId) => {
      const { rowCount } = await pool.query(`select 1 ${findLiving} where i.id = $1 limit 1`, [otherId])
      return rowCount === 1
    },
    hasOthers: async () => {
      const { rowCount } = await pool.query(`select 1 ${findLiving} where i.id <> $1 limit 1`, [lease.id])
      return rowCount === 1
    },
    countWorkers: async () => {
      const { rows } = await pool.query<{ count: number }>(`select count(*) ${findLiving} where i.works`)
      return rows[0]?.count ?? 0
    },
    notify: async (channel, payload) => {
      await pool.query('select pg_notify($1, $2)', [channel, payload])
    },
    listen: async (channel, callback) => {
      channels.set(channel, [...(channels.get(channel) ?? []), callback])
      await lease.ask(`listen "${channel}"`).catch((error) => {
        // The next lease listens to all channels from the start.
        if (!isUnreachable(error)) throw error
      })
    },
    stop: async () => {
      isStopped = true
      await Promise.all([stopReaping(), stopPinging()])
      await lease.ask('delete from instances where id = $1', [lease.id]).catch(() => undefined)
      await lease.client.end().catch(() => undefined)
    },
  }
}

/** Inserts the row only once the lock is held, so that a live instance never appears dead. */
async function takeLease(
  { connectAlone, works }: Options,
  channels: ReadonlyMap<string, unknown>,
): Promise<Lease> {
  const client = await connectAlone()
  const ask = oneAtATime(client)
  try {
    for (;;) {
      const id = randomUUID()
      const lockId = randomInt(1, 2 ** 31 - 1)
      await ask('select pg_advisory_lock($1::int, $2::int)', [lockClass, lockId])
      const { rowCount } = await ask(
        'insert into instances (id, lock_id, works) values ($1, $2, $3) on conflict do nothing',
        [id, lockId, works],
      )
      if (rowCount === 1) {
        await ask(`set idle_session_timeout = ${silenceMs}`)
        // Last, so that a channel added in the meantime is included.
        for (const channel of channels.keys()) await ask(`listen "${channel}"`)
        return { id, lockId, client, ask }
      }
      await ask('select pg_advisory_unlock($1::int, $2::int)', [lockClass, lockId])
    }
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

/** Serializes queries, since a client runs one at a time. */
function oneAtATime(client: pg.Client): Ask {
  let turn: Promise<unknown> = Promise.resolve()
  return (sql, values) => {
    const mine = turn.then(() => client.query(sql, values))
    turn = mine.catch(() => undefined)
    return mine
  }
}

async function reap(pool: pg.Pool, ownId: string, died: ((id: string) => Promise<void>)[], log: Log) {
  const { rows } = await pool.query<{ id: string }>(
    `select id from instances where id <> $1 and id not in (select i.id ${findLiving}) order by id limit 100`,
    [ownId],
  )
  for (const { id } of rows) {
    log.info({ instance: id }, 'Another process of this installation has ended; recovering its work.')
    for (const callback of died) await callback(id)
    await pool.query('delete from instances where id = $1', [id])
  }
}

/** Drops a connection that does not answer. A half-open connection never ends by itself. */
async function ping({ client, ask }: Lease): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(), pingTimeoutMs)
  try {
    await ask('select 1')
  } finally {
    clearTimeout(timer)
  }
}

/** Repeats `work` until stopped. After a failure the next round tries again. */
function every(ms: number, work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    running = work()
      .catch(() => undefined)
      .finally(() => {
        isBusy = false
      })
  }, ms)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
