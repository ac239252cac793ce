import { CreditCard } from 'lucide-react'
import { useState } from 'react'
import { MAX_PAYMENT, MIN_PAYMENT } from '#shared/money/payments/payments.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { formatAmount } from '../../platform/lib/money.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { AmountChoice, useAmount } from './amount-choice.tsx'
import { useStartPayment } from './use-payments.ts'

/** Starts a card payment of an amount. The balance grows after the payment succeeds. */
export function PayForm() {
  const { t, i18n } = useTranslation('common')
  const choice = useAmount({ least: MIN_PAYMENT, most: MAX_PAYMENT })
  const [isChecked, setChecked] = useState(false)
  const paying = useStartPayment()
  const { amount } = choice
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        setChecked(true)
        if (amount !== null) paying.mutate(Math.round(amount * 100) / 100)
      }}
    >
      <AmountChoice
        choice={choice}
        error={isChecked && amount === null ? t('billing.pay.wrong') : undefined}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        wide
        busy={paying.isPending || paying.isSuccess}
        icon={<CreditCard aria-hidden className="icon" />}
      >
        {amount === null
          ? t('billing.top_up.add_nothing')
          : t('billing.pay.add', { amount: formatAmount(amount, i18n.language) })}
      </Button>
      {paying.isError && (
        <Callout tone="danger" title={t('billing.pay.failed')}>
          {errorText(t, paying.error)}
        </Callout>
      )}
      <p className="text-12 text-ink-3">{t('billing.pay.where')}</p>
    </form>
  )
}
