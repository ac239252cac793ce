import type * as z from 'zod'
import type { createConnection, updateConnection } from '#shared/models/connections/connections.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { type ConnectionState, FIRST_KEY, findProvider, noLimits, wakeKeys } from '../models/models.ts'
import { writeLimits } from './connection-rules-store.ts'

type Created = z.infer<NonNullable<typeof createConnection.body>>
type Update = z.infer<NonNullable<typeof updateConnection.body>>
type Changes = Partial<Omit<Created, 'one_at_a_time' | 'first_token_seconds'>> & Pick<Update, 'enabled'>
type ProviderRecord = NonNullable<ReturnType<typeof findProvider>>
type Form = ProviderRecord['form']
type Overrides = NonNullable<Update['models']>

/** Stores a connection under a unique provider id derived from its name or kind. Returns the id of the connection. */
export async function insertConnection(
  { db, secrets }: Platform,
  { name, kind, base_url, api_key, model_ids = [], api_version, entra, options = {}, ...rules }: Created,
  known: ConnectionState[],
): Promise<string> {
  const { form, address } = kindOf(kind)
  assertAddress(form, base_url)
  assertOptions(kind, options)
  const taken = new Set(['atrium', 'local', ...known.map(({ provider }) => provider)])
  const wanted = address.isNamed ? slugOf(name) : kind
  const values = {
    name,
    kind,
    base_url: base_url ?? null,
    api_key_sealed: api_key ? secrets.seal(api_key) : null,
    model_ids: JSON.stringify([...new Set(model_ids)]),
    api_version: api_version || null,
    entra: entra ? JSON.stringify(entra) : null,
    options: JSON.stringify(options),
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
    // A concurrent request took this provider id.
    taken.add(provider)
  }
}

/** Updates the given fields; an empty key removes the stored key. */
export async function writeConnection(
  { db, secrets, clock }: Platform,
  state: ConnectionState,
  changes: Changes,
): Promise<void> {
  const { api_key, model_ids, api_version, entra, options, ...rest } = changes
  if (api_key !== undefined) await wakeKeys(db, state.id, FIRST_KEY)
  const { form } = kindOf(rest.kind ?? state.kind)
  assertOptions(rest.kind ?? state.kind, options ?? state.options)
  assertAddress(form, rest.base_url === undefined ? state.base_url : rest.base_url)
  await db
    .updateTable('model_connections')
    .set({
      ...rest,
      ...(model_ids && { model_ids: JSON.stringify([...new Set(model_ids)]) }),
      ...(api_version !== undefined && { api_version: api_version || null }),
      ...(entra !== undefined && { entra: entra && JSON.stringify(entra) }),
      ...(options && { options: JSON.stringify(options) }),
      ...(api_key !== undefined && { api_key_sealed: api_key ? secrets.seal(api_key) : null }),
      updated_at: clock.now(),
    })
    .where('id', '=', state.id)
    .execute()
}

/** Removes a connection with its keys and limits, so that a later connection of the same name inherits none. */
export async function removeConnection(
  { db }: Pick<Platform, 'db'>,
  { id, provider }: Pick<ConnectionState, 'id' | 'provider'>,
): Promise<void> {
  await db.deleteFrom('model_connections').where('id', '=', id).execute()
  await db.deleteFrom('model_limits').where('provider', '=', provider).execute()
  await db.deleteFrom('class_receivers').where('receiver', '=', provider).execute()
  await wakeKeys(db, id)
}

/** Stores overrides of single models: whether they are offered, prices, context. @throws AppError `not_found` */
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

function kindOf(kind: string): ProviderRecord {
  const record = findProvider(kind)
  if (!record) throw new AppError('invalid', `kind: there are no providers of the kind ${kind}.`)
  return record
}

/** Checks that all options belong to the kind's form and that no required one is missing. @throws AppError `invalid` */
export function assertOptions(kind: string, options: Readonly<Record<string, string>>): void {
  const { fields } = kindOf(kind).form
  const own = fields.filter(({ path }) => path.startsWith('options.'))
  const named = own.map(({ path }) => path.slice('options.'.length))
  const strange = Object.keys(options).find((name) => !named.includes(name))
  if (strange !== undefined) throw new AppError('invalid', `options: ${strange} is unknown.`)
  for (const [at, { required, group, type }] of own.entries()) {
    const value = options[named[at] ?? ''] ?? ''
    if (required && group === null && value === '')
      throw new AppError('invalid', `options: ${named[at]} is missing.`)
    // The value becomes part of a URL.
    if (type === 'id' && !/^[\w.:-]{0,200}$/.test(value))
      throw new AppError(
        'invalid',
        `options: ${named[at]} has letters, digits, dots, colons and hyphens only.`,
      )
  }
}

function assertAddress({ url }: Form, base_url: string | null | undefined): void {
  if (url === 'required' && !base_url)
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
