import clsx from 'clsx'
import { useState } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { parseDecimal } from '../../platform/lib/money.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'

const amounts = [10, 25, 50]

/** State of a selected or typed amount; null while it is invalid or out of bounds. */
export function useAmount({ least, most }: { least: number; most: number }) {
  const [chosen, setChosen] = useState<number | 'other'>(25)
  const [typed, setTyped] = useState('')
  const wanted = chosen === 'other' ? parseDecimal(typed) : chosen
  const amount = wanted !== null && wanted >= least && wanted <= most ? wanted : null
  return { chosen, setChosen, typed, setTyped, amount }
}

type AmountChoiceProps = { choice: ReturnType<typeof useAmount>; error: string | undefined }

/** Three preset amounts and a field for another one. */
export function AmountChoice({ choice: { chosen, setChosen, typed, setTyped }, error }: AmountChoiceProps) {
  const { t, i18n } = useTranslation('common')
  return (
    <>
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
        <Field label={t('billing.top_up.amount')} error={error}>
          <Input inputMode="decimal" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </Field>
      )}
    </>
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
