import type { SignIn } from '#shared/identity/accounts/own-account.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { currentLanguage, type TFunction } from '../../platform/i18n/i18n.ts'

const minute = 60_000
const hour = 60 * minute

/** Formats the last use of a sign-in. The server updates it at most once a minute. */
export function lastUseText(
  { current, last_used_at }: Pick<SignIn, 'current' | 'last_used_at'>,
  now: Date,
  t: TFunction,
): string {
  const age = now.getTime() - Date.parse(last_used_at)
  if (current || age < 2 * minute) return t('user.devices.now')
  const ago = new Intl.RelativeTimeFormat(currentLanguage(), { style: 'short' })
  if (age < hour) return ago.format(-Math.round(age / minute), 'minute')
  if (age < 24 * hour) return ago.format(-Math.round(age / hour), 'hour')
  return formatDate(last_used_at, { dateStyle: 'medium', timeStyle: 'short' })
}
