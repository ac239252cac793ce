import type { TFunction } from 'i18next'
import { MAX_FACT, RefusalReason } from '#shared/chat/memory/fact.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { ApiError } from '../../platform/lib/api/api-error.ts'

/** Returns why a text cannot be a fact, otherwise the text of the failure. */
export function refusalText(t: TFunction, error: unknown): string {
  const said =
    error instanceof ApiError ? error.fields.find(({ path }) => path === 'text')?.message : undefined
  const { data: reason } = RefusalReason.safeParse(said)
  return reason ? t(`memory:refusal.${reason}`, { count: MAX_FACT }) : errorText(t, error)
}
