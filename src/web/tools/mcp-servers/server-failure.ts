import { readToolError } from '#shared/tools/tools/tool-errors.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import type { TFunction } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'

/** The sentence a person reads when a server cannot be connected. */
export const connectFailure = (t: TFunction, error: unknown): string =>
  isApiError(error) && isPrivate(error.detail) ? serverFailure(t, error.detail) : errorText(t, error)

/** The sentence a person reads about a server that did not answer: ours translated, any other as it is. */
export function serverFailure(t: TFunction, said: string): string {
  const known = readToolError(said)
  return known?.code === 'private_host' ? t('servers.private_host', known.values) : said
}

const isPrivate = (detail: string | null | undefined): detail is string =>
  readToolError(detail ?? null)?.code === 'private_host'
