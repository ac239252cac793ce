import { randomInt, timingSafeEqual } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import { isFromThisMachine } from '../../../platform/http/foreign-pages.ts'
import { isLocalProgram, tellsLocalPrograms } from '../../../platform/http/local-peer/local-peer.ts'
import type { Platform } from '../../../platform/platform.ts'
import { isEmptyInstallation } from '../store.ts'
import { hashSecret } from '../tokens/access-token-store.ts'

/** No letters or digits that look alike. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const fileName = 'setup-code'

/**
 * The code the first sign-up needs, to be shown at start. Null when an account exists, or when the people on this machine need
 * none. Kept in the data folder (0600).
 */
export async function readSetupCode(deps: Pick<Platform, 'db' | 'config'>): Promise<string | null> {
  if (deps.config.isLoopback && tellsLocalPrograms) return null
  return (await isEmptyInstallation(deps)) ? storedCode(deps.config.dataDir) : null
}

/**
 * Whether a first account that this request asks for needs the code; then the file with the code exists. Only a program on this machine that
 * calls for itself needs none (docs/decisions/0020).
 */
export async function needsSetupCode(
  { config }: Pick<Platform, 'config'>,
  request: FastifyRequest,
): Promise<boolean> {
  if (config.isLoopback && isFromThisMachine(request) && (await isLocalProgram(request))) return false
  await storedCode(config.dataDir)
  return true
}

/** Checks the code of a first sign-up, in any case. @throws AppError `setup_code_required` */
export async function assertSetupCode({ config }: Pick<Platform, 'config'>, given: string | undefined) {
  const expected = await storedCode(config.dataDir)
  if (given && timingSafeEqual(digest(given), digest(expected))) return
  const detail = given
    ? 'The setup code is wrong. It stands in the file setup-code of the data folder.'
    : 'The first account needs the setup code. It stands in the file setup-code of the data folder.'
  throw new AppError('setup_code_required', detail)
}

/** Removes the code once the first account exists. */
export async function forgetSetupCode({ config }: Pick<Platform, 'config'>): Promise<void> {
  await rm(join(config.dataDir, fileName), { force: true })
}

async function storedCode(dataDir: string): Promise<string> {
  const path = join(dataDir, fileName)
  await mkdir(dataDir, { recursive: true })
  // Exclusive creation: of two processes that start together, one writes and both read.
  await writeFile(path, `${makeCode()}\n`, { mode: 0o600, flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  return (await readFile(path, 'utf8')).trim()
}

function makeCode(): string {
  const letters = Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)])
  return [0, 4, 8].map((start) => letters.slice(start, start + 4).join('')).join('-')
}

function digest(code: string): Buffer {
  return hashSecret(code.toUpperCase().replace(/[^A-Z0-9]/g, ''))
}
