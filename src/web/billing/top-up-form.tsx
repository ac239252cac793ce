import { useMutation } from '@tanstack/react-query'
import clsx from 'clsx'
import { useState } from 'react'
import { topUp } from '#shared/billing/billing.ts'
import { errorText } from '../i18n/error-text.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { call } from '../lib/call.ts'
import { useMe } from '../lib/me.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { toast } from '../ui/toasts/toasts.ts'
import { formatAmount, parseDecimal } from './money.ts'

const amounts = [10, 25, 50]
const MOST = 100_000

/** Books money onto an account; for super admins only. */
export function TopUpForm({ userId, onDone }: { userId: string; onDone: () => void }) {
  const { t, i18n } = useTranslation('common')
  const isOwn = useMe()?.id === userId
  const [chosen, setChosen] = useState<number | 'other'>(25)
  const [typed, setTyped] = useState('')
  const [isChecked, setChecked] = useState(false)
  const amount = chosen === 'other' ? parseDecimal(typed) : chosen
  const isRight = amount !== null && amount >= 0.01 && amount <= MOST
  const shown = isRight ? formatAmount(amount, i18n.language) : null
  const booking = useMutation({
    mutationFn: (dollars: number) => call(topUp, { params: { userId }, body: { amount: dollars } }),
    onSuccess: (_, dollars) => {
      toast.success(t('billing.top_up.done', { amount: formatAmount(dollars, i18n.language) }))
      setTyped('')
      setChecked(false)
      onDone()
    },
  })
  const book = () => {
    setChecked(true)
    if (isRight && amount !== null) booking.mutate(amount)
  }
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        book()
      }}
    >
      <fieldset className="grid grid-cols-4 gap-1.5">
        <legend className="sr-only">{t('billing.top_up.choose')}</legend>
        {[...amounts, 'other' as const].map((value) => (
          <Button
            key={value}
            aria-pressed={chosen === value}
            className={clsx('px-0!', chosen === value && 'border-accent! bg-accent-soft! text-accent!')}
            onClick={() => setChosen(value)}
          >
            {value === 'other' ? t('billing.top_up.other') : wholeDollars(value, i18n.language)}
          </Button>
        ))}
      </fieldset>
      {chosen === 'other' && (
        <Field
          label={t('billing.top_up.amount')}
          error={isChecked && !isRight ? t('billing.top_up.wrong') : undefined}
        >
          <Input inputMode="decimal" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </Field>
      )}
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

function wholeDollars(dollars: number, language: string): string {
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 0,
  }).format(dollars)
}
