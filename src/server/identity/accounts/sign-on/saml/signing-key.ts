import { X509Certificate } from 'node:crypto'
import type { SigningCertificate } from '#shared/identity/accounts/sign-on-providers.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../../../platform/platform.ts'
import { type Actor, changed, writeAudit } from '../../../audit/audit.ts'
import { findKeys, insertKey, switchKeys } from './key-store.ts'
import { createSelfSigned, type KeyPair } from './self-signed.ts'

type Deps = Pick<Platform, 'db' | 'clock' | 'secrets'>

/** The key that signs requests, and the one that will replace it. Identity providers are given both certificates. */
export type SigningKeys = { current: KeyPair; next: Pick<KeyPair, 'certificate'> | null }

/** Returns the keys of this installation. The first call makes the current one. */
export async function readSigningKey(deps: Deps): Promise<SigningKeys> {
  const found = await findKeys(deps.db)
  if (!found.current) {
    await makeKey(deps, 'current')
    return readSigningKey(deps)
  }
  const { key_sealed: sealed, certificate } = found.current
  return { current: { key: deps.secrets.open(sealed), certificate }, next: found.next }
}

/** Returns the certificates that the metadata contain. */
export async function listCertificates(deps: Deps): Promise<SigningCertificate[]> {
  const { current, next } = await readSigningKey(deps)
  const show = (place: SigningCertificate['place'], text: string): SigningCertificate => {
    const { fingerprint256: fingerprint, validTo } = new X509Certificate(Buffer.from(text, 'base64'))
    return { place, fingerprint, valid_until: new Date(validTo).toISOString() }
  }
  return [show('current', current.certificate), ...(next ? [show('next', next.certificate)] : [])]
}

/** Makes the next key, or signs with it from now on. @throws AppError `conflict` when the other step is due */
export async function changeSigningKey(
  deps: Deps,
  actor: Actor,
  action: 'prepare' | 'switch',
): Promise<void> {
  await readSigningKey(deps)
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
  const { key, certificate } = createSelfSigned('Atrium', now)
  return insertKey(db, { place, key_sealed: secrets.seal(key), certificate, created_at: now })
}
