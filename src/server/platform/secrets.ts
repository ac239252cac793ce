import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config/config.ts'

/** Seals text with the installation's key (AES-256-GCM), so that a stolen database alone reveals nothing. */
export type Secrets = {
  seal(plain: string): string
  /** @throws SecretError if it was sealed with another key or modified. */
  open(sealed: string): string
}

/** A sealed text cannot be opened, or a key is invalid. The message says what to do. */
export class SecretError extends Error {}

const version = 'v1'

type Settings = Pick<Config, 'ATRIUM_SECRET_KEY' | 'dataDir'>

/** Shorter keys could be guessed. */
const MIN_KEY_CHARACTERS = 16
const MAX_KEY_BYTES = 4_096

/** Uses `ATRIUM_SECRET_KEY`, otherwise a key file in the data folder, created on the first start. @throws SecretError */
export function createSecrets(config: Settings): Secrets {
  return secretsOf(config.ATRIUM_SECRET_KEY ?? readOrMakeKey(pathOfKey(config)))
}

/** Creates secrets from the text of a key. */
export function secretsOf(written: string): Secrets {
  const key = createHash('sha256').update(written).digest()
  return {
    seal: (plain) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')}`
    },
    open: (sealed) => openSealed(sealed, key),
  }
}

/** Returns the text of an installation's key; null if none has been created. @throws SecretError */
export function readSecretKey(config: Settings): string | null {
  return config.ATRIUM_SECRET_KEY ?? tryRead(pathOfKey(config))
}

/** Gives an installation without secrets the key of another one. @throws SecretError if its settings contain a different key */
export function keepSecretKey(config: Settings, key: string): void {
  if (config.ATRIUM_SECRET_KEY === key) return
  if (config.ATRIUM_SECRET_KEY !== undefined)
    throw new SecretError(
      "ATRIUM_SECRET_KEY is not the key of the archive: unset it, or set the archive's key.",
    )
  writeKey(config, key)
}

/** Returns the bytes of the key file, valid or not; null if it does not exist. */
export function readKeyFile(config: Settings): string | null {
  return existsSync(pathOfKey(config)) ? readFileSync(pathOfKey(config), 'utf8') : null
}

/** Replaces the key file, or removes it (null). */
export function writeKey(config: Settings, key: string | null): void {
  const path = pathOfKey(config)
  if (key === null) {
    rmSync(path, { force: true })
    return
  }
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, key, { mode: 0o600, flush: true })
  renameSync(draft, path)
}

const pathOfKey = ({ dataDir }: Settings) => join(dataDir, 'secret.key')

function openSealed(sealed: string, key: Buffer): string {
  const [found, packed = ''] = sealed.split('.')
  const bytes = Buffer.from(packed, 'base64url')
  try {
    if (found !== version) throw new Error(`unknown format ${found}`)
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
    decipher.setAuthTag(bytes.subarray(12, 28))
    return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
  } catch (cause) {
    throw new SecretError(
      'The key of this installation does not open a stored secret: restore the key, or enter the secret again.',
      { cause },
    )
  }
}

function readOrMakeKey(path: string): string {
  const found = tryRead(path)
  if (found !== null) return found
  // Written to a draft and linked, so that two concurrent starts agree on one key and none is partial.
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return tryRead(path) ?? ''
}

function tryRead(path: string): string | null {
  let bytes: Buffer
  try {
    // Reading a pipe would block forever.
    const { size } = statSync(path)
    if (size > MAX_KEY_BYTES || !statSync(path).isFile()) throw new SecretError(unusable(path, 'is no key'))
    bytes = readFileSync(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    throw error instanceof SecretError
      ? error
      : new SecretError(unusable(path, `cannot be read (${message})`))
  }
  const key = bytes.toString().trim()
  // A new key would silently make every stored secret unreadable.
  if (key === '') throw new SecretError(unusable(path, 'is empty'))
  if (key.length < MIN_KEY_CHARACTERS) throw new SecretError(unusable(path, 'is too short'))
  return key
}

const unusable = (path: string, what: string) =>
  `The key file ${path} ${what}: put back the one from a backup, or set ATRIUM_SECRET_KEY to its content.`
