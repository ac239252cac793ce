import { useTranslation } from '../../platform/i18n/i18n.ts'
import { formatAmount } from '../../platform/lib/money.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { usePayments } from './use-payments.ts'

/** Shows the state of a payment, as the server knows it, to a user returning from checkout. */
export function PaymentNote() {
  const { t, i18n } = useTranslation('common')
  const newest = usePayments().data?.items[0]
  if (!newest || newest.state === 'ended') return null
  const amount = formatAmount(newest.amount, i18n.language)
  return newest.state === 'paid' ? (
    <Callout tone="success">{t('billing.pay.arrived', { amount })}</Callout>
  ) : (
    <Callout tone="accent">{t('billing.pay.awaited', { amount })}</Callout>
  )
}
