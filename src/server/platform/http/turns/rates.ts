import { AppError } from '#shared/platform/errors.ts'
import { keyOf, type Principal } from '../../access/access.ts'
import type { Config } from '../../config/config.ts'

/** Request rates per caller and minute. Each process counts separately. */
export type Rates = {
  /** Counts one request. @throws AppError `rate_limited` with the seconds until the minute ends */
  count: (principal: Principal) => void
}

const MINUTE_MS = 60_000

export function createRates(
  limits: Pick<Config, 'ATRIUM_LIMIT_REQUESTS_A_MINUTE' | 'ATRIUM_LIMIT_KEY_REQUESTS_A_MINUTE'>,
): Rates {
  let hits = new Map<string, number>()
  let endsAt = 0
  const countOne = (name: string, most: number, now: number) => {
    const made = (hits.get(name) ?? 0) + 1
    hits.set(name, made)
    if (made <= most) return
    const retryAfterSeconds = Math.max(1, Math.ceil((endsAt - now) / 1000))
    const detail = `More than ${most} requests in a minute. Try again in ${retryAfterSeconds} s.`
    throw new AppError('rate_limited', detail, { retryAfterSeconds })
  }
  return {
    count: (principal) => {
      if (principal.kind === 'anonymous') return
      const now = performance.now()
      if (now >= endsAt) {
        hits = new Map()
        endsAt = now + MINUTE_MS
      }
      const key = keyOf(principal)
      if (key) countOne(key, limits.ATRIUM_LIMIT_KEY_REQUESTS_A_MINUTE, now)
      // Visitors do not use up the rate of the user who pays for them.
      if (principal.kind === 'visitor') return
      countOne(principal.id, limits.ATRIUM_LIMIT_REQUESTS_A_MINUTE, now)
    },
  }
}
