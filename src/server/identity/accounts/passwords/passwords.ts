import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { AppError } from '#shared/platform/errors.ts'

/** OWASP's second argon2id profile: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const hashBytes = 32
/**
 * Concurrent hashes. They use the thread pool shared with file access and take a core each. The event loop needs
 * a core as well, so using all of them would slow everything down.
 */
const MAX_CONCURRENT = Math.max(1, Math.min(3, availableParallelism() - 1))
/** Running and queued hashes: a few seconds of work. Further callers are refused instead of queued. */
const MAX_UNDER_WAY = 260

/**
 * Hashes a password as a PHC string, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`.
 * @throws AppError `unavailable` when the queue is full
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, cost)
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/**
 * Returns whether a password matches a hash. Without a hash (unknown name, or an account with external sign-in) it takes as
 * long as for a wrong password and returns false.
 * @throws AppError `unavailable` when the queue is full
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const parsed = parsePhc(stored ?? (await dummyHash()))
  const hash = await derive(password, parsed.salt, parsed.cost)
  return timingSafeEqual(hash, parsed.hash) && stored !== null
}

let dummy: Promise<string> | undefined

function dummyHash(): Promise<string> {
  dummy ??= hashPassword(randomBytes(16).toString('hex'))
  return dummy
}

const argon2Async = promisify(argon2)
const waiting: (() => void)[] = []
let running = 0

async function derive(password: string, salt: Buffer, { memory, passes, parallelism }: typeof cost) {
  await takePlace()
  try {
    return await argon2Async('argon2id', {
      // Keyboards may compose the same password differently.
      message: password.normalize('NFKC'),
      nonce: salt,
      tagLength: hashBytes,
      memory,
      passes,
      parallelism,
    })
  } finally {
    leavePlace()
  }
}

async function takePlace(): Promise<void> {
  if (running < MAX_CONCURRENT) {
    running += 1
    return
  }
  if (running + waiting.length >= MAX_UNDER_WAY) {
    throw new AppError('unavailable', 'Too many people are signing in right now. Try again in a moment.', {
      retryAfterSeconds: 5,
    })
  }
  await new Promise<void>((resolve) => waiting.push(resolve))
}

/** Frees a slot, or passes it to the next in the queue without changing the count. */
function leavePlace(): void {
  const next = waiting.shift()
  if (next) next()
  else running -= 1
}

function parsePhc(phc: string) {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]{43})$/.exec(phc)
  if (!match) throw new Error('A stored password hash is not an argon2id PHC string.')
  const [, memory, passes, parallelism, salt = '', hash = ''] = match
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
