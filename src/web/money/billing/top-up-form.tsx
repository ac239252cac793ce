import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { topUp } from '#shared/money/billing/billing.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useMe } from '../../platform/lib/me/me.ts'
import { formatAmount } from '../../platform/lib/money.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { AmountChoice, useAmount } from './amount-choice.tsx'

const MOST = 100_000

/** Form that adds money to a user's balance; super admins only. */
export function TopUpForm({ userId, onDone }: { userId: string; onDone: () => void }) {
  const { t, i18n } = useTranslation('common')
  const isOwn = useMe()?.id === userId
  const choice = useAmount({ least: 0.01, most: MOST })
  const [isChecked, setChecked] = useState(false)
  const { amount } = choice
  const shown = amount === null ? null : formatAmount(amount, i18n.language)
  const booking = useMutation({
    mutationFn: (dollars: number) => call(topUp, { params: { userId }, body: { amount: dollars } }),
    onSuccess: (_, dollars) => {
      toast.success(t('billing.top_up.done', { amount: formatAmount(dollars, i18n.language) }))
      choice.setTyped('')
      setChecked(false)
      onDone()
    },
  })
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        setChecked(true)
        if (amount !== null) booking.mutate(amount)
      }}
    >
      <AmountChoice
        choice={choice}
        error={isChecked && amount === null ? t('billing.top_up.wrong') : undefined}
      />
      <Button type="submit" variant="primary" size="lg" wide busy={booking.isPending}>
        {shown ? t('billing.top_up.add', { amount: shown }) : t('billing.top_up.add_nothing')}
      </Button>
      {booking.isError && (
        <Callout tone="danger" title={t('billing.top_up.failed')}>
          {errorText(t, booking.error)}
        </Callout>
      )}
      {isOwn && <p className="text-12 text-ink-3">{t('billing.top_up.who')}</p>}
    </form>
  )
}
