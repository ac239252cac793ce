import { type Kysely, sql } from 'kysely'
import { MAX_BROWSERS } from '#shared/lifecycle/notifications/push.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

export type Subscription = { id: string; endpoint: string; p256dh: string; auth: string }
export type SubscribedBrowser = {
  id: string
  user_agent: string | null
  token_hash: Buffer
  created_at: Date
}

export type StoredKeys = { public_key: string; private_sealed: string }

/** Returns the key pair of the installation; null before it was needed. */
export async function findKeys(db: Db): Promise<StoredKeys | null> {
  const { rows } =
    await sql<StoredKeys>`select public_key, private_sealed from push_keys where id = 1`.execute(db)
  return rows[0] ?? null
}

/** Stores the key pair unless another process already has. Returns the stored one. */
export async function keepKeys(db: Db, keys: StoredKeys): Promise<StoredKeys> {
  await sql`insert into push_keys (public_key, private_sealed) values (${keys.public_key}, ${keys.private_sealed})
    on conflict do nothing`.execute(db)
  return (await findKeys(db)) ?? keys
}

/** Replaces the key pair, and forgets the subscriptions, which hold for the earlier one alone. */
export async function replaceKeys(db: Db, keys: StoredKeys): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`insert into push_keys (public_key, private_sealed) values (${keys.public_key}, ${keys.private_sealed})
      on conflict (id) do update set public_key = excluded.public_key, private_sealed = excluded.private_sealed`.execute(
      trx,
    )
    await sql`delete from push_subscriptions`.execute(trx)
  })
}

/** Stores a subscription of the sign-in's browser. A browser belongs to the person who signed in last. Returns its id. */
export async function putSubscription(
  db: Db,
  owner: { id: string; tokenHash: Buffer },
  { endpoint, p256dh, auth }: Omit<Subscription, 'id'>,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into push_subscriptions (user_id, token_hash, endpoint, p256dh, auth)
    values (${owner.id}, ${owner.tokenHash}, ${endpoint}, ${p256dh}, ${auth})
    on conflict (endpoint) do update set user_id = excluded.user_id, token_hash = excluded.token_hash,
      p256dh = excluded.p256dh, auth = excluded.auth
    returning id`.execute(db)
  const id = rows[0]?.id
  if (id === undefined) throw new Error('The subscription was not stored.')
  await sql`delete from push_subscriptions where user_id = ${owner.id} and id <> ${id} and (
    token_hash = ${owner.tokenHash} or id in (select id from push_subscriptions where user_id = ${owner.id}
      order by created_at desc, id offset ${MAX_BROWSERS}))`.execute(db)
  return id
}

/** Returns the browsers of a person, the newest first. */
export async function findBrowsers(db: Db, userId: string): Promise<SubscribedBrowser[]> {
  const { rows } = await sql<SubscribedBrowser>`
    select s.id, t.user_agent, s.token_hash, s.created_at
    from push_subscriptions s join access_tokens t on t.token_hash = s.token_hash
    where s.user_id = ${userId} order by s.created_at desc, s.id limit ${MAX_BROWSERS}`.execute(db)
  return rows
}

export async function removeSubscription(db: Db, userId: string, id: string): Promise<void> {
  await sql`delete from push_subscriptions where user_id = ${userId} and id = ${id}`.execute(db)
}

/** Returns the subscriptions of a person whose sign-ins are valid. */
export async function findSubscriptions(db: Db, userId: string, now: Date): Promise<Subscription[]> {
  const { rows } = await sql<Subscription>`
    select s.id, s.endpoint, s.p256dh, s.auth
    from push_subscriptions s join access_tokens t on t.token_hash = s.token_hash
    where s.user_id = ${userId} and t.expires_at > ${now} order by s.created_at, s.id limit ${MAX_BROWSERS}`.execute(
    db,
  )
  return rows
}

export type DuePush = {
  notification_id: string
  user_id: string
  tries: number
  /** Subscriptions that it reached already. */
  reached: string[]
  /** Deadline of the waiting question; null without one. */
  deadline: Date | null
}

/**
 * Takes due pushes of unread notifications until `lease`, the oldest first. When the process dies, another one takes them after
 * the lease. A repeated push replaces the first one in the browser, because both have the same tag.
 */
export async function claimPushes(
  db: Db,
  { now, lease, limit }: { now: Date; lease: Date; limit: number },
): Promise<DuePush[]> {
  const { rows } = await sql<DuePush>`
    with taken as (
      select w.notification_id from notification_deliveries w join notifications n on n.id = w.notification_id
      where w.channel = 'push' and w.state = 'waiting' and w.due_at <= ${now} and n.read_at is null
      order by w.due_at, w.notification_id limit ${limit} for update of w skip locked)
    update notification_deliveries d set due_at = ${lease}, tries = d.tries + 1
    from taken, notifications n left join input_requests q
      on q.run_id = n.run_id and q.key = n.request_key and q.state = 'waiting'
    where d.notification_id = taken.notification_id and d.channel = 'push' and n.id = d.notification_id
    returning d.notification_id, d.user_id, d.tries, d.reached, q.deadline`.execute(db)
  return rows
}

/** Lets a claimed push wait until a time, without counting the try. */
export async function postponePush(db: Db, id: string, until: Date): Promise<void> {
  await sql`update notification_deliveries set due_at = ${until}, tries = tries - 1
    where notification_id = ${id} and channel = 'push' and state = 'waiting'`.execute(db)
}

/** Notes that a push reached a subscription. */
export async function noteReached(db: Db, id: string, subscriptionId: string): Promise<void> {
  await sql`update notification_deliveries set reached = array_append(reached, ${subscriptionId}::uuid)
    where notification_id = ${id} and channel = 'push'`.execute(db)
}

/** Stores the outcome of a push. */
export async function settlePush(
  db: Db,
  id: string,
  {
    state,
    said,
    due,
    now,
  }: { state: 'waiting' | 'sent' | 'failed' | 'skipped'; said: string | null; due: Date; now: Date },
): Promise<void> {
  await sql`update notification_deliveries set state = ${state}, said = ${said}, due_at = ${due}, changed_at = ${now}
    where notification_id = ${id} and channel = 'push' and state = 'waiting'`.execute(db)
}
