import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, MAX_BUDGET, setKeyBudget } from '#shared/identity/api-keys/api-keys.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { parseDecimal } from '../../platform/lib/money.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { FormDialog } from '../../platform/ui/overlays/form-dialog.tsx'

type KeyBudgetProps = { one: ApiKey; onChanged: () => void; onClose: () => void }

/** Changes the budget of a key, which resumes calls paused for the previous one. */
export function KeyBudget({ one: { id, name, monthly_budget }, onChanged, onClose }: KeyBudgetProps) {
  const { t } = useTranslation('programs')
  const [typed, setTyped] = useState(monthly_budget === null ? '' : String(monthly_budget))
  const [wasSent, setSent] = useState(false)
  const amount = typed.trim() === '' ? null : parseDecimal(typed)
  const isAmount = typed.trim() === '' || (amount !== null && amount >= 0 && amount <= MAX_BUDGET)
  const setting = useMutation({
    mutationFn: () => call(setKeyBudget, { params: { keyId: id }, body: { monthly_budget: amount } }),
    onSuccess: () => {
      onChanged()
      onClose()
    },
  })
  const save = () => {
    setSent(true)
    if (isAmount) setting.mutate()
  }
  return (
    <FormDialog
      title={t('keys.budget.change_named', { name })}
      send={t('keys.budget.save')}
      busy={setting.isPending}
      onSend={save}
      onClose={onClose}
    >
      <Field
        label={t('keys.form.budget')}
        hint={`${t('keys.form.budget_hint')} ${t('keys.budget.none')}`}
        error={wasSent && !isAmount ? t('keys.form.bad_budget') : undefined}
      >
        <Input
          inputMode="decimal"
          maxLength={20}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </Field>
      {setting.error && (
        <Callout tone="danger" title={t('keys.budget.failed')}>
          {errorText(t, setting.error)}
        </Callout>
      )}
    </FormDialog>
  )
}
