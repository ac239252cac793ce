import type { Kysely } from 'kysely'
import type { AuditChange } from '#shared/identity/audit/audit.ts'
import type { ConnectionKey } from '#shared/models/connections/connections.ts'
import { AppError } from '#shared/platform/errors.ts'
import { changesBetween } from '../../identity/audit/audit.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Platform } from '../../platform/platform.ts'
import { type ConnectionLimits, type ConnectionState, FIRST_KEY, type PoolKey } from '../models/models.ts'
import { deleteKey, insertKeys, writeLimits } from './connection-rules-store.ts'
import { writeConnection } from './store.ts'

type KeyChanges = { add_keys?: string[] | undefined; remove_keys?: string[] | undefined }
type LimitChanges = { [Limit in keyof ConnectionLimits]?: ConnectionLimits[Limit] | undefined }

/** More keys would make the provider suspicious. */
const KEYS_MOST = 50

/** Adds keys to the rotation and removes others. @throws AppError `invalid`, `not_found` */
export async function changeKeys(
  within: Platform,
  state: ConnectionState,
  { add_keys = [], remove_keys = [] }: KeyChanges,
): Promise<void> {
  const { db, secrets } = within
  const stay = state.keys.filter(({ id }) => !remove_keys.includes(id))
  if (stay.length + add_keys.length > KEYS_MOST)
    throw new AppError('invalid', `add_keys: a connection has at most ${KEYS_MOST} keys.`)
  const all = [...stay.map(({ api_key }) => api_key), ...add_keys]
  if (new Set(all).size < all.length)
    throw new AppError('invalid', 'add_keys: the connection has this key already.')
  for (const id of remove_keys) {
    if (id === FIRST_KEY) await writeConnection(within, state, { api_key: '' })
    else if (!(await deleteKey(db, state.id, id))) throw new AppError('not_found', 'Key not found')
  }
  const sealed = add_keys.map((key) => secrets.seal(key))
  await insertKeys(db, state.id, sealed)
}

type Moved = {
  kind?: string | undefined
  base_url?: string | null | undefined
  api_key?: string | null | undefined
}

/** Stored keys are sent only to the address they were entered for. @throws AppError `invalid` for one that would stay with another address */
export function assertKeysStay(
  state: ConnectionState,
  { kind = state.kind, base_url = state.base_url, api_key }: Moved,
  remove_keys: readonly string[] = [],
): void {
  if (placeOf(kind, base_url) === placeOf(state.kind, state.base_url)) return
  const stays = ({ id }: PoolKey) => !remove_keys.includes(id) && (id !== FIRST_KEY || api_key === undefined)
  if (state.keys.some(stays))
    throw new AppError('invalid', 'api_key: Enter the key again: the address has changed.')
}

/** Returns the origin that receives the keys; without an address the service of the kind does. */
function placeOf(kind: string, address: string | null): string {
  if (!address) return kind
  return URL.canParse(address) ? new URL(address).origin : address
}

/** Stores the given limits; the others keep their values. */
export async function saveLimits(
  db: Kysely<Tables>,
  { provider, limits }: ConnectionState,
  changes: LimitChanges,
): Promise<void> {
  if (Object.values(changes).every((change) => change === undefined)) return
  const {
    requests_per_minute = limits.requests_per_minute,
    tokens_per_minute = limits.tokens_per_minute,
    one_at_a_time = limits.one_at_a_time,
    first_token_seconds = limits.first_token_seconds,
  } = changes
  const stored = { requests_per_minute, tokens_per_minute, one_at_a_time, first_token_seconds }
  await writeLimits(db, provider, stored)
}

/** Returns the audit entries of a change: how many keys were added or removed, never which. */
export function describeRules(
  { limits }: ConnectionState,
  { add_keys = [], remove_keys = [] }: KeyChanges,
  changes: LimitChanges,
): AuditChange[] {
  const shown = (value: number | boolean | null | undefined) => (value == null ? null : String(value))
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  const count = (what: string, keys: string[]) =>
    keys.length === 0 ? [] : [{ what, before: null, after: String(keys.length) }]
  return [
    ...count('keys_added', add_keys),
    ...count('keys_removed', remove_keys),
    ...changesBetween(
      Object.fromEntries(Object.entries(limits).map(([what, value]) => [what, shown(value)])),
      Object.fromEntries(given.map(([what, value]) => [what, shown(value)])),
    ),
  ]
}

/** Presents a key to administrators: its hint and state, never the key. */
export function presentKey({ id, api_key, rest }: PoolKey): ConnectionKey {
  const state = rest === null ? 'working' : rest.refused ? 'refused' : 'set_aside'
  return { id, hint: hintOf(api_key), state, until: rest?.until.toISOString() ?? null }
}

/** Returns the last four characters of a key, or null when it has fewer than 12. */
export const hintOf = (key: string) => (key.length >= 12 ? key.slice(-4) : null)
