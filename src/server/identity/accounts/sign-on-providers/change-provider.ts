import {
  type GroupRule,
  MAX_PROVIDERS,
  type ProviderDraft,
  type ProviderSettings,
} from '#shared/identity/accounts/sign-on-providers.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type Actor, changed, changesBetween, writeAudit } from '../../audit/audit.ts'
import {
  countPeople,
  countProviders,
  deleteProvider,
  findProvider,
  lockProvider,
  type ProviderRow,
  putProvider,
} from '../sign-on/stored/provider-store.ts'
import { companyNames } from '../store.ts'

type Deps = Pick<Platform, 'db' | 'clock' | 'secrets'>

/** @throws AppError `conflict` for too many providers, `invalid` for another kind, an unknown company or a missing secret */
export async function saveProvider(
  { db, clock, secrets }: Deps,
  actor: Actor,
  id: string,
  draft: ProviderDraft,
): Promise<void> {
  if (!id.startsWith(`${draft.settings.kind}-`)) throw invalid('settings', 'The kind does not fit the id.')
  await assertCompanies(db, draft.rules)
  await db.transaction().execute(async (trx) => {
    const count = await countProviders(trx)
    const before = await lockProvider(trx, id)
    if (!before && count >= MAX_PROVIDERS)
      throw new AppError('conflict', `There are ${MAX_PROVIDERS} providers already. Remove one first.`)
    const { secret, ...rest } = draft
    const kept = keptSecret(before, draft)
    if (draft.settings.kind === 'oidc' && draft.is_enabled && !secret && !kept)
      throw invalid('secret', 'Enter the client secret.')
    const now = clock.now()
    const sealed = secret ? secrets.seal(secret) : kept
    const secretSetAt = secret ? now : sealed ? (before?.secret_set_at ?? now) : null
    await putProvider(trx, { ...rest, id, sealed, secretSetAt }, now)
    const changes = [
      ...changesBetween(before ? factsOf(before) : {}, factsOf(draft)),
      ...(secret ? changed('secret', null, 'replaced') : []),
      ...(!sealed && before?.secret_sealed ? changed('secret', 'set', null) : []),
    ]
    const did = before ? 'sign_on.provider_changed' : 'sign_on.provider_added'
    await writeAudit(trx, now, { actor, did, subject: draft.name, changes })
  })
}

/**
 * Removes a provider with the connections of its people. `seen` is the number of people that the caller has seen.
 * @throws AppError `conflict` when that number has changed, `not_found`
 */
export async function removeProvider({ db, clock }: Deps, actor: Actor, id: string, seen: number) {
  await db.transaction().execute(async (trx) => {
    const before = await lockProvider(trx, id)
    if (!before) throw new AppError('not_found', 'This provider is not set up here.')
    const { people } = (await countPeople(trx)).get(id) ?? { people: 0 }
    if (people !== seen)
      throw new AppError(
        'conflict',
        `${people} people sign in with this provider. Look again before you remove it.`,
      )
    await deleteProvider(trx, id)
    const changes = [
      ...changed('people', String(people), null),
      ...changed('kind', before.settings.kind, null),
    ]
    const did = 'sign_on.provider_removed'
    await writeAudit(trx, clock.now(), { actor, did, subject: before.name, changes })
  })
}

/** Returns the secret that a draft would use: the entered one, else the stored one if it may be kept. */
export async function openSecret(
  { db, secrets }: Pick<Platform, 'db' | 'secrets'>,
  id: string,
  draft: ProviderDraft,
): Promise<string | null> {
  if (draft.secret) return draft.secret
  const kept = keptSecret(await findProvider(db, id), draft)
  return kept === null ? null : secrets.open(kept)
}

/** A stored secret stays only with the place it was entered for: it must not be sent elsewhere. */
function keptSecret(before: ProviderRow | null, { secret, settings }: ProviderDraft): string | null {
  if (!before || secret === null || placeOf(before.settings) !== placeOf(settings)) return null
  return before.secret_sealed
}

function placeOf(settings: ProviderSettings): string {
  if (settings.kind === 'oidc') return `${settings.issuer} ${settings.client_id}`
  if (settings.kind === 'ldap') return `${settings.url} ${settings.bind_dn}`
  return settings.kind
}

/** Returns the values for the audit log. Pasted metadata and certificates are shown by their length. */
function factsOf({ name, is_enabled, trusts_addresses, settings, rules }: Omit<ProviderDraft, 'secret'>) {
  const parts = Object.entries(settings).map(([what, value]) => [what, shorten(String(value))])
  const grants = rules.map(({ group, company_id, role }) => `${group} => ${company_id}: ${role}`).join('; ')
  return {
    ...Object.fromEntries(parts),
    ...{ name, is_enabled: String(is_enabled), trusts_addresses: String(trusts_addresses) },
    rules: shorten(grants),
  } as Record<string, string>
}

const shorten = (text: string) => (text.length > 300 ? `${text.slice(0, 60)}… (${text.length})` : text)

async function assertCompanies(db: Platform['db'], rules: readonly GroupRule[]): Promise<void> {
  const names = await companyNames(
    db,
    rules.map(({ company_id }) => company_id),
  )
  if (rules.every(({ company_id }) => names.has(company_id))) return
  throw invalid('rules', 'One of these companies is gone.')
}

const invalid = (path: string, message: string) =>
  new AppError('invalid', message, { errors: [{ path, message }] })
