import { X509Certificate } from 'node:crypto'
import type { SigningCertificate } from '#shared/identity/accounts/sign-on-providers.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../../../platform/platform.ts'
import { type Actor, changed, writeAudit } from '../../../audit/audit.ts'
import { findKeys, insertKey, type KeyRow, switchKeys } from './key-store.ts'
import { createSelfSigned, type KeyPair } from './self-signed.ts'

type Deps = Pick<Platform, 'db' | 'clock' | 'secrets'>

/** Returns the key that signs requests. The first call makes it. */
export async function readSigningKey(deps: Deps): Promise<KeyPair> {
  const { key_sealed: sealed, certificate } = await ensureKey(deps)
  return { key: deps.secrets.open(sealed), certificate }
}

/** Returns the certificates for the metadata, base64 of their DER form. The first call makes the key. */
export async function readCertificates(deps: Deps): Promise<string[]> {
  await ensureKey(deps)
  const { current, next } = await findKeys(deps.db)
  return [current, next].flatMap((key) => (key ? [key.certificate] : []))
}

/** First keys in the making, by database. Anybody may ask for one, so concurrent requests share it. */
const making = new WeakMap<Deps['db'], Promise<boolean>>()

/** Nothing is opened here: a key that a lost sealing key made unreadable can still be replaced. */
async function ensureKey(deps: Deps): Promise<KeyRow> {
  const { current } = await findKeys(deps.db)
  if (current) return current
  const made = making.get(deps.db) ?? makeKey(deps, 'current').finally(() => making.delete(deps.db))
  making.set(deps.db, made)
  await made
  return ensureKey(deps)
}

/** Returns the certificates that the metadata contain; none before somebody needed one. */
export async function listCertificates(deps: Deps): Promise<SigningCertificate[]> {
  const { current, next } = await findKeys(deps.db)
  const show = (place: SigningCertificate['place'], text: string): SigningCertificate => {
    const { fingerprint256: fingerprint, validTo } = new X509Certificate(Buffer.from(text, 'base64'))
    return { place, fingerprint, valid_until: new Date(validTo).toISOString() }
  }
  return [
    ...(current ? [show('current', current.certificate)] : []),
    ...(next ? [show('next', next.certificate)] : []),
  ]
}

/** Makes the next key, or signs with it from now on. @throws AppError `conflict` when the other step is due */
export async function changeSigningKey(
  deps: Deps,
  actor: Actor,
  action: 'prepare' | 'switch',
): Promise<void> {
  await ensureKey(deps)
  await deps.db.transaction().execute(async (trx) => {
    const isDone = await (action === 'prepare' ? makeKey({ ...deps, db: trx }, 'next') : switchKeys(trx))
    if (!isDone)
      throw new AppError(
        'conflict',
        action === 'prepare' ? 'The next key is there already.' : 'There is no next key. Prepare it first.',
      )
    const changes = changed('key', null, action)
    const did = 'sign_on.key_changed'
    await writeAudit(trx, deps.clock.now(), { actor, did, subject: 'SAML', changes })
  })
}

/** Makes a key. Returns false when there is one in this place. */
async function makeKey({ db, clock, secrets }: Deps, place: 'current' | 'next'): Promise<boolean> {
  const now = clock.now()
  const { key, certificate } = await createSelfSigned('Atrium', now)
  return insertKey(db, { place, key_sealed: secrets.seal(key), certificate, created_at: now })
}
