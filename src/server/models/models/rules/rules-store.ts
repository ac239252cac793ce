import { type Kysely, type Selectable, sql } from 'kysely'
import { planOnce } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'

/** A key of a connection that is skipped until a time. */
export type KeyRest = { connection_id: string; key_id: string; until: Date; refused: boolean }
export type ConnectionLimits = {
  requests_per_minute: number | null
  tokens_per_minute: number | null
  /** Null means the default of the address. */
  one_at_a_time: boolean | null
  /** Timeout of the first byte of an answer, in seconds; null means the default. */
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

/** The overrides of a model by an administrator. */
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
 * Reads all connections with their model overrides, additional keys, skipped keys and limits. It is a single statement, because every
 * call reads them.
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

/** Skips a key for `seconds`; never shortens a longer pause. */
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

/** Reactivates one key of a connection, or all of them. */
export async function wakeKeys(db: Kysely<Tables>, connectionId: string, keyId?: string): Promise<void> {
  const all = db.deleteFrom('model_key_rests').where('connection_id', '=', connectionId)
  await (keyId === undefined ? all : all.where('key_id', '=', keyId)).execute()
}

export type Room = {
  /** Id of the reserved place; null if none is free in time, or if there is no limit. */
  request: string | null
  wait_ms: number
  reached: 'requests' | 'tokens' | null
}

/** Reserves the next place within the limits of a provider, if it is at most `mostMs` away. */
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

/** Replaces the estimated tokens of a request by the reported ones. */
export async function settleRoom(db: Kysely<Tables>, request: string, tokens: number): Promise<void> {
  await db.updateTable('model_requests').set({ tokens }).where('id', '=', request).execute()
}

/** Releases the place of a request that is not sent. */
export async function leaveRoom(db: Kysely<Tables>, request: string): Promise<void> {
  await db.deleteFrom('model_requests').where('id', '=', request).execute()
}
