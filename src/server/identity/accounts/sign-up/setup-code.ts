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

/** Alphabet without look-alikes. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const fileName = 'setup-code'

/**
 * Returns the code for the first sign-up, to show at start. Null when an account exists, or when local users need none.
 * Stored in the data folder with mode 0600.
 */
export async function readSetupCode(deps: Pick<Platform, 'db' | 'config'>): Promise<string | null> {
  if (deps.config.isLoopback && tellsLocalPrograms) return null
  return (await isEmptyInstallation(deps)) ? storedCode(deps.config.dataDir) : null
}

/**
 * Returns whether this request needs the setup code to create the first account; if so, the file with the code exists. Only a program on
 * this machine that calls for itself needs none (docs/decisions/0020).
 */
export async function needsSetupCode(
  { config }: Pick<Platform, 'config'>,
  request: FastifyRequest,
): Promise<boolean> {
  if (config.isLoopback && isFromThisMachine(request) && (await isLocalProgram(request))) return false
  await storedCode(config.dataDir)
  return true
}

/** Checks the setup code in any case. @throws AppError `setup_code_required` */
export async function assertSetupCode({ config }: Pick<Platform, 'config'>, given: string | undefined) {
  const expected = await storedCode(config.dataDir)
  if (given && timingSafeEqual(digest(given), digest(expected))) return
  const detail = given
    ? 'The setup code is wrong. It stands in the file setup-code of the data folder.'
    : 'The first account needs the setup code. It stands in the file setup-code of the data folder.'
  throw new AppError('setup_code_required', detail)
}

/** Deletes the code once the first account exists. */
export async function forgetSetupCode({ config }: Pick<Platform, 'config'>): Promise<void> {
  await rm(join(config.dataDir, fileName), { force: true })
}

async function storedCode(dataDir: string): Promise<string> {
  const path = join(dataDir, fileName)
  await mkdir(dataDir, { recursive: true })
  // Exclusive creation: of two processes starting together, one writes and both read.
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
