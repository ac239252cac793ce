import { BUILT_IN_MODEL } from '#shared/models/connections/connections.ts'
import type { TFunction } from '../../platform/i18n/i18n.ts'
import { modelLabel } from '../../platform/lib/models/model-label.ts'

/** Returns the display name of a model in the ledger; entries without a model are shown as other work. */
export function modelText(name: string | null, t: TFunction): string {
  if (name === null) return t('billing.no_model')
  return name === BUILT_IN_MODEL ? modelLabel(BUILT_IN_MODEL, t) : name
}
