import type { Config } from '../config/config.ts'
import type { Database } from '../db/db.ts'
import type { Instance } from '../instances.ts'
import { createSecrets, readSecretKey, SecretError, type Secrets, secretsOf } from '../secrets.ts'
import { keepCheck, readCheck, replaceCheck, sampleSealed } from './store.ts'

type Settings = Pick<Config, 'ATRIUM_SECRET_KEY' | 'dataDir'>

const SENTENCE = 'This is the key of this installation.'

/**
 * Returns the secrets of an installation after checking that its key sealed the stored ones. The first start creates the key and
 * seals a sentence with it. If no sentence is stored, the key must open one of the stored secrets. An installation without
 * secrets accepts a new key, unless another process with the earlier key is alive.
 * @throws SecretError if the key is lost or differs
 */
export async function openSecrets(
  config: Settings,
  db: Database,
  instance: Pick<Instance, 'hasOthers'>,
): Promise<Secrets> {
  const check = await readCheck(db)
  // A missing key is created only if no stored secret would become unreadable.
  const known = readSecretKey(config)
  if (known !== null && check !== null && opens(secretsOf(known), check)) return secretsOf(known)
  const sealed = await sampleSealed(db)
  const isLive = check !== null && (await instance.hasOthers())
  if (known === null && (sealed.length > 0 || isLive)) throw new SecretError(lost(config))
  const secrets = createSecrets(config)
  if (isLive || (sealed.length > 0 && (check !== null || !sealed.some((text) => opens(secrets, text)))))
    throw new SecretError(wrong(config))
  const mine = secrets.seal(SENTENCE)
  if (check !== null) await replaceCheck(db, mine, check)
  // If two processes start together with different keys, the second finds the first one's sentence.
  if (!opens(secrets, await keepCheck(db, mine))) throw new SecretError(wrong(config))
  return secrets
}

/**
 * Abandons texts sealed with a lost key. The configured key, or a new one, becomes the key of the installation.
 * `shut` is the number of sampled texts that do not open.
 */
export async function acceptKey(config: Settings, db: Database): Promise<{ shut: number }> {
  const secrets = createSecrets(config)
  const sealed = await sampleSealed(db)
  const check = await readCheck(db)
  const mine = secrets.seal(SENTENCE)
  await (check === null ? keepCheck(db, mine) : replaceCheck(db, mine, check))
  return { shut: sealed.filter((text) => !opens(secrets, text)).length }
}

function opens(secrets: Secrets, sealed: string): boolean {
  try {
    secrets.open(sealed)
    return true
  } catch {
    return false
  }
}

const lost = (config: Settings) =>
  `The key of this installation is missing: put secret.key back into ${config.dataDir}, or set ATRIUM_SECRET_KEY to it. ${giveUp}`

const wrong = ({ ATRIUM_SECRET_KEY, dataDir }: Settings) =>
  `${ATRIUM_SECRET_KEY ? 'ATRIUM_SECRET_KEY' : `${dataDir}/secret.key`} is not the key that this installation sealed its secrets with: put that key back. ${giveUp}`

const giveUp =
  'If it is lost for good, "npm run new-key" starts with a new one; all stored secrets are entered again then.'
