import { readToolError } from '#shared/tools/tools/tool-errors.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import type { TFunction } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'

/** The sentence a person reads when a tool or a server cannot be reached or saved. */
export function toolFailure(t: TFunction, error: unknown): string {
  const own = isApiError(error) ? ownSentence(t, error.detail ?? '') : null
  return own ?? errorText(t, error)
}

/** The sentence about a server that did not answer: ours translated, any other as it is. */
export const serverFailure = (t: TFunction, said: string): string => ownSentence(t, said) ?? said

function ownSentence(t: TFunction, said: string): string | null {
  const known = readToolError(said)
  return known?.code === 'private_host' ? t('common:errors.private_host', known.values) : null
}
