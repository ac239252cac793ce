import { BUILT_IN_MODEL } from '#shared/models/connections/connections.ts'
import type { TFunction } from '../../platform/i18n/i18n.ts'
import { modelLabel } from '../../platform/lib/models/model-label.ts'

/** A model as the ledger names it; what was used without one is other work. */
export function modelText(name: string | null, t: TFunction): string {
  if (name === null) return t('billing.no_model')
  return name === BUILT_IN_MODEL ? modelLabel(BUILT_IN_MODEL, t) : name
}
