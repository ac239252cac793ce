import type { Platform } from '../../../../platform/platform.ts'
import { findKeys, insertKey } from './key-store.ts'
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

/** Makes a key unless there is one in this place. Returns its certificate, null when there was one. */
export async function makeKey(
  { db, clock, secrets }: Deps,
  place: 'current' | 'next',
): Promise<string | null> {
  const now = clock.now()
  const { key, certificate } = createSelfSigned('Atrium', now)
  const isNew = await insertKey(db, { place, key_sealed: secrets.seal(key), certificate, created_at: now })
  return isNew ? certificate : null
}
