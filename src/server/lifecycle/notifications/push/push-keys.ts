import { generateKeyPairSync } from 'node:crypto'
import type { Platform } from '../../../platform/platform.ts'
import { SecretError } from '../../../platform/secrets.ts'
import { findKeys, keepKeys, replaceKeys, type StoredKeys } from './push-store.ts'

type Deps = Pick<Platform, 'db' | 'secrets'>

/** Key pair of this installation for push services, P-256, base64url without padding (RFC 8292). */
export type PushKeys = { publicKey: string; privateKey: string }

/** Returns the public key. The first start creates the pair. */
export async function readPublicKey(deps: Deps): Promise<string> {
  return (await ensureKeys(deps)).public_key
}

/** Returns the key pair. If a lost sealing key made it unreadable, a new pair replaces it and browsers must subscribe again. */
export async function readPushKeys(deps: Deps): Promise<PushKeys> {
  const { public_key: publicKey, private_sealed: sealed } = await ensureKeys(deps)
  try {
    return { publicKey, privateKey: deps.secrets.open(sealed) }
  } catch (error) {
    if (!(error instanceof SecretError)) throw error
    const pair = makePair()
    await replaceKeys(deps.db, seal(deps, pair))
    return pair
  }
}

/** Concurrent first calls, also of other processes, store one pair. */
async function ensureKeys({ db, secrets }: Deps): Promise<StoredKeys> {
  const found = await findKeys(db)
  if (found) return found
  return keepKeys(db, seal({ secrets }, makePair()))
}

const seal = ({ secrets }: Pick<Deps, 'secrets'>, { publicKey, privateKey }: PushKeys): StoredKeys => ({
  public_key: publicKey,
  private_sealed: secrets.seal(privateKey),
})

function makePair(): PushKeys {
  const {
    x = '',
    y = '',
    d = '',
  } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    format: 'jwk',
  })
  const point = [Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  return { publicKey: Buffer.concat(point).toString('base64url'), privateKey: d }
}
