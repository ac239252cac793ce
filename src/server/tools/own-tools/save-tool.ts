import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import {
  type HttpAuth,
  HttpCall,
  neededSecretsOf,
  type SecretValues,
  secretsOf,
} from '#shared/tools/own-tools/http-call.ts'
import type { NewTool, ToolChanges } from '#shared/tools/own-tools/own-tools.ts'
import { type Audit, changed } from '../../identity/audit/audit.ts'
import { administeredBy } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { assertFetchable } from '../../platform/outbound/outbound.ts'
import type { Platform } from '../../platform/platform.ts'
import { assertMayAllow } from '../tool-policies/tool-policies.ts'
import { ApiConnection } from './http/api-kind.ts'
import { assertSecrets } from './http/authenticate.ts'
import { checkAddress } from './http/check-address.ts'
import { checkCall } from './http/check-call.ts'
import { addressesOf, staysAtOrigins } from './http/secret-origins.ts'
import { sayPrivate } from './say-private.ts'
import {
  addVersion,
  countTools,
  findSecrets,
  insertSet,
  insertTool,
  keepSecrets,
  listShares,
  lockOwner,
  type StoredTool,
  type ToolWords,
  writePolicy,
  writeSecrets,
  writeSet,
  writeShares,
} from './store.ts'

type Deps = Pick<Platform, 'db' | 'secrets' | 'config' | 'clock'>
type Trx = Kysely<Tables>

/**
 * Creates a tool from a call. @throws AppError `invalid` for an invalid call, `conflict` beyond the maximum per person,
 * `forbidden` for a company the person cannot share with; then nothing is stored
 */
export async function createTool(deps: Deps, user: Caller, wish: NewTool, audit: Audit): Promise<string> {
  const auth = wish.auth ?? { kind: 'none' as const }
  const call = checkCall(wish.call)
  checkAuth(auth)
  assertSecretsOf(auth, wish.secrets ?? {})
  await assertReachable(deps, [call.address, ...addressesOf(auth)])
  const companies = assertShares(user, wish.companies ?? [], [])
  const id = newToolId(wish.ui_name)
  await deps.db.transaction().execute(async (trx) => {
    await lockOwner(trx, user.id)
    await assertRoomFor(trx, deps, user.id, 1)
    const set = { user_id: user.id, kind: 'api' as const, name: wish.ui_name, connection: { auth } }
    const set_id = await insertSet(trx, set)
    const row = { id, set_id, user_id: user.id, key: 'call', policy: wish.policy ?? null }
    await insertTool(trx, row, wordsOf(wish), { ...call })
    await keepSealed(trx, deps, set_id, wish.secrets ?? {})
    await writeShares(trx, { setId: set_id, sharedBy: user.id }, companies)
    await audit(trx, { did: 'tool.created', subject: wish.ui_name, subjectId: id })
  })
  return id
}

/** Changes a tool. A change of its texts or its call creates a version; sharing and policies do not. @throws as `createTool` */
export async function changeTool(
  deps: Deps,
  user: Caller,
  stored: StoredTool,
  changes: ToolChanges,
  audit: Audit,
): Promise<void> {
  if (stored.kind !== 'api' && (changes.call || changes.auth))
    throw new AppError('invalid', 'This tool is described by its server: only its words can be changed.')
  const { auth: known } = ApiConnection.parse(stored.kind === 'api' ? stored.connection : {})
  const auth = changes.auth ?? known
  const definition = changes.call ? { ...checkCall(changes.call) } : stored.definition
  checkAuth(auth)
  const kept = await findSecrets(deps.db, stored.set_id)
  // Secrets are sent only to the servers they were entered for.
  const sends = (call: Record<string, unknown>, by: HttpAuth) => ({ address: String(call.address), auth: by })
  const isElsewhere =
    stored.kind === 'api' && !staysAtOrigins(sends(stored.definition, known), sends(definition, auth))
  const isOther = auth.kind !== known.kind || isElsewhere
  const has = isOther ? {} : Object.fromEntries(kept.map(({ name }) => [name, 'kept']))
  if (stored.kind === 'api') assertSecretsOf(auth, { ...has, ...changes.secrets })
  const named = [...(changes.call ? [changes.call.address] : []), ...(changes.auth ? addressesOf(auth) : [])]
  await assertReachable(deps, named)
  const shared = await listShares(deps.db, stored.set_id)
  if (changes.policy === 'auto' && stored.policy !== 'auto')
    assertMayAllow(user, { userId: stored.user_id, companies: stored.companies })
  const companies = changes.companies && assertShares(user, changes.companies, shared)
  const words = wordsOf({ ...stored, ui_name: stored.name, ...changes })
  const now = deps.clock.now()
  await deps.db.transaction().execute(async (trx) => {
    if (!isSame(stored, words, definition)) await addVersion(trx, stored, words, definition, now)
    if (changes.policy !== undefined) await writePolicy(trx, stored.id, changes.policy)
    if (changes.auth) await writeSet(trx, stored.set_id, { connection: { ...stored.connection, auth } }, now)
    if (changes.auth || isOther) await keepSecrets(trx, stored.set_id, isOther ? [] : secretsOf(auth))
    await keepSealed(trx, deps, stored.set_id, changes.secrets ?? {})
    if (companies) await writeShares(trx, { setId: stored.set_id, sharedBy: user.id }, companies)
    const facts = [
      ...changed('name', stored.name, words.name),
      ...(isSame(stored, words, definition) ? [] : changed('definition', null, 'changed')),
      ...(changes.policy === undefined ? [] : changed('policy', stored.policy, changes.policy)),
      ...(isOther ? changed('authentication', known.kind, auth.kind) : []),
      ...secretsReplaced(changes.secrets),
      ...(companies ? changed('shared with', String(shared.length), String(companies.length)) : []),
    ]
    await audit(trx, { did: 'tool.changed', subject: stored.name, subjectId: stored.id, changes: facts })
  })
}

/** Records that secrets were replaced, never which. */
export function secretsReplaced(secrets: SecretValues = {}) {
  return Object.keys(secrets).map((name) => ({ what: name, before: null, after: 'replaced' }))
}

type Words = { ui_name: string; description: string; icon?: string | null | undefined }

export function wordsOf({ ui_name, description, icon }: Words): ToolWords {
  return { name: ui_name, description, icon: icon ?? null }
}

/** Returns whether a version would be identical. */
export function isSame(stored: StoredTool, words: ToolWords, definition: Record<string, unknown>): boolean {
  const { name, description, icon } = stored
  const before = stored.kind === 'api' ? HttpCall.parse(stored.definition) : stored.definition
  return isDeepStrictEqual({ name, description, icon }, words) && isDeepStrictEqual(before, definition)
}

/** Returns a unique id: eight characters, then the name for models. */
export function newToolId(name: string): string {
  const random = BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(13, '0')
    .slice(-7)
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 40)
  return `t${random}_${words.replace(/^_|_$/g, '') || 'tool'}`
}

/** @throws AppError `conflict` */
export async function assertRoomFor(
  trx: Trx,
  { config }: Pick<Deps, 'config'>,
  userId: string,
  more: number,
): Promise<void> {
  const most = config.ATRIUM_LIMIT_OWN_TOOLS_PER_USER
  const has = await countTools(trx, userId)
  if (has + more <= most) return
  throw new AppError('conflict', `You have ${has} tools of your own. The maximum per person is ${most}.`)
}

/**
 * Returns the companies to share a set with: those the person administers, and those it is already shared with.
 * @throws AppError `forbidden`
 */
export function assertShares(
  user: Caller,
  companies: readonly string[],
  shared: readonly string[],
): string[] {
  const may = new Set([...administeredBy(user), ...shared])
  if (companies.some((id) => !may.has(id)))
    throw new AppError('forbidden', 'Only an administrator of a company can share a tool with it.')
  return [...new Set(companies)]
}

/** @throws AppError `invalid` for an invalid token address */
export function checkAuth(auth: HttpAuth): void {
  if (addressesOf(auth).some((address) => checkAddress(address).length > 0))
    throw new AppError('invalid', 'The addresses of a service cannot have inputs.')
}

/** Ignores inputs in an address. @throws AppError `invalid` for an address that would never be called */
export async function assertReachable({ config }: Pick<Deps, 'config'>, addresses: string[]): Promise<void> {
  const origins = new Set(addresses.map((address) => new URL(address.replace(/\{[^{}]*\}/g, 'x')).origin))
  for (const origin of origins)
    await assertFetchable(origin, config.ATRIUM_TOOLS_PRIVATE).catch((error) => {
      throw sayPrivate(error)
    })
}

/** Checks that secrets match the auth scheme. @throws AppError `invalid` for a missing or an unused one */
export function assertSecretsOf(auth: HttpAuth, given: SecretValues): void {
  const needed = secretsOf(auth)
  assertSecrets(given)
  const missing = neededSecretsOf(auth).find((name) => given[name] === undefined)
  if (missing !== undefined) throw new AppError('invalid', `The secret “${missing}” is missing.`)
  const unused = Object.keys(given).find((name) => given[name] !== 'kept' && !needed.includes(name))
  if (unused !== undefined)
    throw new AppError('invalid', `This authentication has no secret “${unused.slice(0, 50)}”.`)
}

export function keepSealed(
  trx: Trx,
  { secrets }: Pick<Deps, 'secrets'>,
  setId: string,
  values: SecretValues,
) {
  const sealed = Object.entries(values).map(([name, value]) => [name, secrets.seal(value)])
  return writeSecrets(trx, setId, Object.fromEntries(sealed))
}
