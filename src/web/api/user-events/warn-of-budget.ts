import i18next from 'i18next'
import type { UserEvent } from '#shared/api/user-events/user-events.ts'
import { formatMoney } from '../../platform/i18n/format.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'

/** Warns the users responsible for a budget when 80 % of it is spent. */
export function warnOfBudget({
  kind,
  name,
  spent,
  amount,
}: Extract<UserEvent, { event: 'budget_warning' }>): void {
  const values = { name, spent: formatMoney(spent), amount: formatMoney(amount) }
  toast.warning(i18next.t(`common:billing.budget_warning.${kind}`, values))
}
