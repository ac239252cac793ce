import { type Kysely, type Selectable, sql } from 'kysely'
import { planOnce } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'

/** A key of a connection that is passed over until then. */
export type KeyRest = { connection_id: string; key_id: string; until: Date; refused: boolean }
export type ConnectionLimits = {
  requests_per_minute: number | null
  tokens_per_minute: number | null
  /** Null for the default of its address. */
  one_at_a_time: boolean | null
  /** Seconds until the first byte of an answer; null for the default. */
  first_token_seconds: number | null
}

export const noLimits: ConnectionLimits = {
  ...{ requests_per_minute: null, tokens_per_minute: null, one_at_a_time: null, first_token_seconds: null },
}

export type Rules = {
  keys: { id: string; connection_id: string; api_key_sealed: string }[]
  rests: KeyRest[]
  limits: ({ provider: string } & ConnectionLimits)[]
}

/** A connection as it is stored. */
export type StoredConnection = Omit<Selectable<Tables['model_connections']>, 'created_at' | 'updated_at'> & {
  updated_at: Date
}

/** What an administrator changed about a model. */
export type Override = Pick<
  Selectable<Tables['model_overrides']>,
  'model_id' | 'offered' | 'input_price' | 'output_price' | 'context_tokens' | 'fallback_id'
>

type Stored = { connections: StoredConnection[]; overrides: Override[]; rules: Rules }
type Read = Pick<Rules, 'keys' | 'limits'> &
  Pick<Stored, 'overrides'> & {
    connections: (Omit<StoredConnection, 'updated_at'> & { updated_at: string })[]
    rests: (Omit<KeyRest, 'until'> & { until: string })[]
  }

/**
 * All connections, what was changed about their models, further keys, those that are set aside now, and limits: one statement, because every call
 * reads them.
 */
export async function readConnections(db: Kysely<Tables>): Promise<Stored> {
  const query = sql<Read>`select
    (select coalesce(json_agg(c order by created_at, id), '[]')
      from (select * from model_connections order by created_at, id limit 200) c) as connections,
    (select coalesce(json_agg(o order by model_id), '[]')
      from (select * from model_overrides order by model_id limit 10000) o) as overrides,
    (select coalesce(json_agg(k order by created_at, id), '[]') from model_keys k) as keys,
    (select coalesce(json_agg(r order by connection_id, key_id), '[]') from model_key_rests r where until > now()) as rests,
    (select coalesce(json_agg(l order by provider), '[]') from model_limits l) as limits
    limit 1`.compile(db)
  const { rows } = await db.executeQuery(planOnce('read_connections', query))
  const { connections = [], overrides = [], keys = [], rests = [], limits = [] } = rows[0] ?? {}
  return {
    overrides,
    connections: connections.map((one) => ({ ...one, updated_at: new Date(one.updated_at) })),
    rules: { keys, limits, rests: rests.map((rest) => ({ ...rest, until: new Date(rest.until) })) },
  }
}

/** Sets a key aside for so many seconds; a longer rest is not cut short. */
export async function restKey(
  db: Kysely<Tables>,
  { connection_id, key_id, seconds, refused }: Omit<KeyRest, 'until'> & { seconds: number },
): Promise<void> {
  await sql`
    insert into model_key_rests as rest (connection_id, key_id, until, refused)
    values (${connection_id}, ${key_id}, now() + make_interval(secs => ${seconds}), ${refused})
    on conflict (connection_id, key_id) do update
    set until = greatest(rest.until, excluded.until), refused = excluded.refused`.execute(db)
}

/** Lets keys of a connection work again: one, or all of them. */
export async function wakeKeys(db: Kysely<Tables>, connectionId: string, keyId?: string): Promise<void> {
  const all = db.deleteFrom('model_key_rests').where('connection_id', '=', connectionId)
  await (keyId === undefined ? all : all.where('key_id', '=', keyId)).execute()
}

export type Room = {
  /** The place that was taken; null when there is none in time, or no limit. */
  request: string | null
  wait_ms: number
  reached: 'requests' | 'tokens' | null
}

/** Takes the next place within the limits of a provider, if it is at most so many milliseconds away. */
export async function takeRoom(
  db: Kysely<Tables>,
  provider: string,
  tokens: number,
  mostMs: number,
): Promise<Room> {
  const { rows } = await sql<Room>`
    select request, wait_ms, reached from take_room(${provider}, ${tokens}::int, ${mostMs}::int)
    limit 1`.execute(db)
  return rows[0] ?? { request: null, wait_ms: 0, reached: null }
}

/** Says what a request really took. */
export async function settleRoom(db: Kysely<Tables>, request: string, tokens: number): Promise<void> {
  await db.updateTable('model_requests').set({ tokens }).where('id', '=', request).execute()
}

/** Gives back the place of a request that is not made. */
export async function leaveRoom(db: Kysely<Tables>, request: string): Promise<void> {
  await db.deleteFrom('model_requests').where('id', '=', request).execute()
}
