import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'

export { countedAddress } from '../../platform/http/counted-address.ts'

const minute = 60
const hour = 60 * minute

/**
 * Rate limits. A window starts with its first attempt and applies across processes. Offices share one IP address, so a success is not
 * counted where it can be detected: sign-in, sign-on, second steps and links. `sign_in_account` counts by name and address,
 * `sign_in_known` by device; 100 a day is the limit of NIST SP 800-63B. The caller sets the pause. `sign_up_address` is a setting, see
 * `sign-up.ts`; `sign_up_expected` limits people of verified domains.
 */
export const limits = {
  sign_in_address: { most: 100, seconds: 15 * minute },
  sign_in_account: { most: 10, seconds: 15 * minute },
  sign_in_account_day: { most: 100, seconds: 24 * hour },
  sign_in_pause: { most: 1, seconds: minute },
  sign_in_known: { most: 10, seconds: 15 * minute },
  sign_in_known_day: { most: 100, seconds: 24 * hour },
  sign_up_address: { most: 60, seconds: hour },
  sign_up_expected: { most: 3_000, seconds: hour },
  mail_address: { most: 120, seconds: hour },
  mail_account: { most: 5, seconds: hour },
  reset_address: { most: 30, seconds: 15 * minute },
  second_factor: { most: 10, seconds: 15 * minute },
  second_factor_day: { most: 50, seconds: 24 * hour },
  ticket_address: { most: 100, seconds: 15 * minute },
  invitation: { most: 300, seconds: 24 * hour },
  shared_address: { most: 600, seconds: 10 * minute },
  scim_address: { most: 60, seconds: 10 * minute },
  domain_check: { most: 30, seconds: 10 * minute },
  scim_company: { most: 3_000, seconds: minute },
  mail_answer_address: { most: 120, seconds: 10 * minute },
  visit_address: { most: 600, seconds: 10 * minute },
  program_address: { most: 300, seconds: 10 * minute },
  sign_on_address: { most: 600, seconds: 10 * minute },
  sign_on_test: { most: 60, seconds: 10 * minute },
  trigger_address: { most: 30, seconds: 10 * minute },
  notification_address: { most: 60, seconds: 10 * minute },
  channel_address: { most: 30, seconds: 10 * minute },
} as const

export type Limit = keyof typeof limits

type Turn = {
  /** The account concerned, so that all its counts can be reset together. */
  about?: string
  /** Length of the window, if variable. */
  seconds?: number
  /** Attempts per window, if set by a setting. */
  most?: number
}

/**
 * Counts one attempt of `who` (an IP address, a user id or a typed name).
 * @throws AppError `rate_limited` with the seconds until the window ends
 */
export async function takeTurn(
  deps: Pick<Platform, 'db' | 'clock'>,
  limit: Limit,
  who: string,
  { about, seconds = limits[limit].seconds, most = limits[limit].most }: Turn = {},
): Promise<void> {
  const now = deps.clock.now()
  const ends = new Date(now.getTime() + seconds * 1000)
  const row = await deps.db
    .insertInto('rate_limits')
    .values({ key: keyOf(limit, who), hits: 1, expires_at: ends, about: about ? hashed(about) : null })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        hits: sql`case when rate_limits.expires_at <= ${now} then 1 else rate_limits.hits + 1 end`,
        // A refunded attempt leaves no window behind.
        expires_at: sql`case when rate_limits.expires_at <= ${now} or rate_limits.hits = 0 then ${ends} else rate_limits.expires_at end`,
      }),
    )
    .returning(['hits', 'expires_at'])
    .executeTakeFirstOrThrow()
  if (row.hits > most) throw tooMany(limit, row.expires_at.getTime() - now.getTime())
}

/** Counts an attempt and refunds it on success, so that only failures accumulate. @throws AppError `rate_limited` */
export async function countFailures<Answer>(
  deps: Pick<Platform, 'db' | 'clock'>,
  limit: Limit,
  who: string,
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  await takeTurn(deps, limit, who)
  const answer = await attempt()
  await giveTurnBack(deps, limit, who)
  return answer
}

/** Checks the limit without counting. @throws AppError `rate_limited` */
export async function assertTurn(
  deps: Pick<Platform, 'db' | 'clock'>,
  limit: Limit,
  who: string,
): Promise<void> {
  const row = await findTurns(deps, limit, who)
  if (row && row.hits >= limits[limit].most) {
    throw tooMany(limit, row.expires_at.getTime() - deps.clock.now().getTime())
  }
}

/** Returns the current count. */
export async function countTurns(
  deps: Pick<Platform, 'db' | 'clock'>,
  limit: Limit,
  who: string,
): Promise<number> {
  return (await findTurns(deps, limit, who))?.hits ?? 0
}

function findTurns({ db, clock }: Pick<Platform, 'db' | 'clock'>, limit: Limit, who: string) {
  return db
    .selectFrom('rate_limits')
    .select(['hits', 'expires_at'])
    .where('key', '=', keyOf(limit, who))
    .where('expires_at', '>', clock.now())
    .executeTakeFirst()
}

/** Refunds one attempt after a success. */
export async function giveTurnBack({ db }: Pick<Platform, 'db'>, limit: Limit, who: string): Promise<void> {
  await db
    .updateTable('rate_limits')
    .set({ hits: sql`greatest(hits - 1, 0)` })
    .where('key', '=', keyOf(limit, who))
    .execute()
}

/** Resets all counts of an account, including lock-outs. */
export async function forgetAbout({ db }: Pick<Platform, 'db'>, about: string): Promise<void> {
  await db.deleteFrom('rate_limits').where('about', '=', hashed(about)).execute()
}

/** Hashes typed names, so that keys are short and reveal nothing. */
function keyOf(limit: Limit, who: string): string {
  return `${limit}:${hashed(who)}`
}

function hashed(who: string): string {
  return createHash('sha256').update(who).digest('base64url')
}

/** Refusal reasons of limits that do not concern sign-in attempts. */
const reasons: Partial<Record<Limit, string>> = {
  sign_up_address: 'Too many accounts were made from this network.',
  sign_up_expected: 'Too many accounts were made from this network.',
  mail_address: 'Too many mails were asked for from this network.',
  mail_account: 'Too many mails were asked for this address.',
  invitation: 'You have sent too many invitations.',
  sign_on_address: 'Too many sign-ons began in this network.',
  sign_on_test: 'Too many tests of sign-on providers.',
  scim_address: 'Too many requests with a wrong token came from this network.',
  scim_company: 'The directory sends too many requests.',
  visit_address: 'Too many visits began in this network.',
  program_address: 'Too many requests of programs came from this network.',
  shared_address: 'Too many links were opened from this network.',
  channel_address: 'Too many events with a wrong signature came from this network.',
  trigger_address: 'Too many calls with a wrong signature came from this network.',
  notification_address: 'Too many notifications with a wrong secret came from this network.',
}

function tooMany(limit: Limit, remainingMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(remainingMs / 1000))
  const minutes = Math.ceil(seconds / 60)
  const wait =
    minutes === 1 ? 'a minute' : minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
  return new AppError(
    'rate_limited',
    `${reasons[limit] ?? 'Too many attempts.'} Please try again in ${wait}.`,
    {
      retryAfterSeconds: seconds,
    },
  )
}
