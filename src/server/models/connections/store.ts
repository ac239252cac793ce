import type * as z from 'zod'
import type { createConnection, updateConnection } from '#shared/models/connections/connections.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { type ConnectionState, FIRST_KEY, noLimits, wakeKeys } from '../models/models.ts'
import { writeLimits } from './connection-rules-store.ts'

type Created = z.infer<NonNullable<typeof createConnection.body>>
type Update = z.infer<NonNullable<typeof updateConnection.body>>
type Changes = Partial<Omit<Created, 'one_at_a_time' | 'first_token_seconds'>> & Pick<Update, 'enabled'>
type Overrides = NonNullable<Update['models']>

/** Stores a connection under a provider id made from its name; answers its id. */
export async function insertConnection(
  { db, secrets }: Platform,
  { name, kind, base_url, api_key, model_ids = [], api_version, entra, ...rules }: Created,
  known: ConnectionState[],
): Promise<string> {
  assertAddress(kind, base_url)
  const taken = new Set(['atrium', ...known.map(({ provider }) => provider)])
  const wanted = kind === 'compatible' ? slugOf(name) : kind
  const values = {
    name,
    kind,
    base_url: base_url ?? null,
    api_key_sealed: api_key ? secrets.seal(api_key) : null,
    model_ids: JSON.stringify([...new Set(model_ids)]),
    api_version: api_version || null,
    entra: entra ? JSON.stringify(entra) : null,
  }
  for (;;) {
    const provider = freeProvider(wanted, taken)
    const row = await db
      .insertInto('model_connections')
      .values({ provider, ...values })
      .onConflict((conflict) => conflict.column('provider').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row) {
      await writeLimits(db, provider, { ...noLimits, ...rules })
      return row.id
    }
    // Somebody was quicker.
    taken.add(provider)
  }
}

/** Changes what was given; an empty key removes the key. */
export async function writeConnection(
  { db, secrets, clock }: Platform,
  state: ConnectionState,
  changes: Changes,
): Promise<void> {
  const { api_key, model_ids, api_version, entra, ...rest } = changes
  if (api_key !== undefined) await wakeKeys(db, state.id, FIRST_KEY)
  assertAddress(rest.kind ?? state.kind, rest.base_url === undefined ? state.base_url : rest.base_url)
  await db
    .updateTable('model_connections')
    .set({
      ...rest,
      ...(model_ids && { model_ids: JSON.stringify([...new Set(model_ids)]) }),
      ...(api_version !== undefined && { api_version: api_version || null }),
      ...(entra !== undefined && { entra: entra && JSON.stringify(entra) }),
      ...(api_key !== undefined && { api_key_sealed: api_key ? secrets.seal(api_key) : null }),
      updated_at: clock.now(),
    })
    .where('id', '=', state.id)
    .execute()
}

/** Removes a connection with its keys and limits: whoever is given its name next has none of them. */
export async function removeConnection(
  { db }: Pick<Platform, 'db'>,
  { id, provider }: Pick<ConnectionState, 'id' | 'provider'>,
): Promise<void> {
  await db.deleteFrom('model_connections').where('id', '=', id).execute()
  await db.deleteFrom('model_limits').where('provider', '=', provider).execute()
  await wakeKeys(db, id)
}

/** What an administrator says about single models: whether they are offered, prices, context. */
export async function saveOverrides(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  state: ConnectionState,
  overrides: Overrides,
): Promise<void> {
  const known = new Set(state.models.map((model) => model.id))
  for (const [model_id, { fallback, ...figures }] of Object.entries(overrides)) {
    const change = { ...figures, ...(fallback !== undefined && { fallback_id: fallback }) }
    if (!known.has(model_id))
      throw new AppError('not_found', `The model ${model_id} is not part of this connection.`)
    await db
      .insertInto('model_overrides')
      .values({ model_id, ...change })
      .onConflict((conflict) =>
        conflict.column('model_id').doUpdateSet({ ...change, updated_at: clock.now() }),
      )
      .execute()
  }
}

function assertAddress(kind: string, base_url: string | null | undefined): void {
  if ((kind === 'compatible' || kind === 'azure') && !base_url)
    throw new AppError('invalid', 'base_url: the address of the server is missing.')
  if (base_url && !/^https?:\/\//i.test(base_url))
    throw new AppError('invalid', 'base_url: the address must start with http:// or https://.')
}

function slugOf(name: string): string {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'server'
}

function freeProvider(wanted: string, taken: Set<string>): string {
  if (!taken.has(wanted)) return wanted
  let number = 2
  while (taken.has(`${wanted}-${number}`)) number += 1
  return `${wanted}-${number}`
}
