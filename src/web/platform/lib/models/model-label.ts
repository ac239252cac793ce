import type { TFunction } from 'i18next'
import { BUILT_IN_MODEL } from '#shared/models/connections/connections.ts'

/** Returns the displayed name of a model: its id without the provider, and a translated name for the built-in one. */
export function modelLabel(id: string, t: TFunction): string {
  if (id === BUILT_IN_MODEL) return t('common:built_in_model')
  return id.split('/').slice(1).join('/') || id
}
