import type { TFunction } from 'i18next'
import { BUILT_IN_MODEL } from '#shared/models/connections/connections.ts'

/** What people call a model: its id without the provider, and for the built-in one a name in their language. */
export function modelLabel(id: string, t: TFunction): string {
  if (id === BUILT_IN_MODEL) return t('common:built_in_model')
  return id.split('/').slice(1).join('/') || id
}
