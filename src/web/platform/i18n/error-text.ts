import type { TFunction } from 'i18next'
import { isApiError } from '../lib/api/api-error.ts'

/**
 * Returns the text of a failure: the translation of its code, otherwise the server's own sentence, otherwise `fallback` (a
 * key of `common`, such as `errors.send_failed`).
 */
export function errorText(t: TFunction, error: unknown, fallback = 'errors.unknown'): string {
  if (!isApiError(error)) return t(`common:${fallback}`)
  if (error.status === 402 && error.code !== 'budget_used_up') return t('common:errors.insufficient_balance')
  const own = `common:errors.${error.code}`
  const text = t(own, { defaultValue: '', seconds: error.retryAfterSeconds ?? 0 })
  if (text) return text
  return error.detail && error.status < 500 && error.status > 0 ? error.detail : t(`common:${fallback}`)
}
