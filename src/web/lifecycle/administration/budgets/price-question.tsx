import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getPriceQuestion, MAX_ASKED_ABOVE, setPriceQuestion } from '#shared/chat/run-prices/run-prices.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { parseDecimal } from '../../../platform/lib/money.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Switch } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'

const priceQuestion = queryOptions({
  queryKey: ['price-question'],
  queryFn: ({ signal }) => call(getPriceQuestion, { signal }),
})
/** Default threshold in dollars. */
const USUAL = 1

/** Sets the price from which users are asked before a reply starts. */
export function PriceQuestionSetting() {
  const { t } = useTranslation('admin')
  const { data } = useQuery(priceQuestion)
  if (!data) return null
  return (
    <section aria-labelledby="price-question" className="mt-6">
      <h3 id="price-question" className="mb-1 text-13 font-semibold">
        {t('price_question.title')}
      </h3>
      <p className="mb-3 text-13 text-ink-2">{t('price_question.intro')}</p>
      <QuestionForm key={String(data.above)} above={data.above} />
    </section>
  )
}

function QuestionForm({ above }: { above: number | null }) {
  const { t } = useTranslation('admin')
  const [isOn, setOn] = useState(above !== null)
  const [typed, setTyped] = useState(formatNumber(above ?? USUAL))
  const [isChecked, setChecked] = useState(false)
  const amount = parseDecimal(typed)
  const isAmount = amount !== null && amount >= 0 && amount <= MAX_ASKED_ABOVE
  const saving = useMutation({
    mutationFn: (wish: number | null) => call(setPriceQuestion, { body: { above: wish } }),
    onSuccess: (saved) => {
      queryClient.setQueryData(priceQuestion.queryKey, saved)
      toast.success(t('administration.changed'))
    },
    onError: (error) => toast.error(errorText(t, error)),
  })
  return (
    <form
      noValidate
      className="grid max-w-[560px] justify-items-start gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setChecked(true)
        if (!isOn || isAmount) saving.mutate(isOn ? amount : null)
      }}
    >
      <Switch checked={isOn} onCheckedChange={setOn} label={t('price_question.ask')} />
      {isOn && (
        <Field
          label={t('price_question.above')}
          error={
            isChecked && !isAmount
              ? t('price_question.wrong', { most: formatNumber(MAX_ASKED_ABOVE) })
              : undefined
          }
        >
          <Input
            inputMode="decimal"
            maxLength={20}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
      )}
      <Button type="submit" busy={saving.isPending}>
        {t('administration.save')}
      </Button>
    </form>
  )
}
