import type { Budget } from '#shared/money/budgets/budgets.ts'
import type { TFunction } from '../../../platform/i18n/i18n.ts'

/** Returns the translated name of a budget's subject. */
export function nameOfBudget({ kind, name }: Pick<Budget, 'kind' | 'name'>, t: TFunction): string {
  return kind === 'house' ? t('budgets.kind.house') : (name ?? t('usage.gone'))
}
