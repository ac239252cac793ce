import type { InputRequest } from '#shared/input-requests/input-requests.ts'
import type { TFunction } from '../i18n/i18n.ts'

/** The chat a request was asked in, by its title. */
export function titleOf({ session_title }: InputRequest, t: TFunction): string {
  return session_title?.trim() || t('common:history.untitled')
}
