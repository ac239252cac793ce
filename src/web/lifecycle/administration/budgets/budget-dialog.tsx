import { useState } from 'react'
import { AdminBudgetKind } from '#shared/money/budgets/budget-kinds.ts'
import type { Budget } from '#shared/money/budgets/budgets.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { parseDecimal } from '../../../platform/lib/money.ts'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { FormDialog } from '../../../platform/ui/overlays/form-dialog.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { nameOfBudget } from './budget-words.ts'
import { SubjectChoice } from './subject-choice.tsx'
import { useSetBudget } from './use-budgets.ts'

const MOST = 1_000_000

/** Creates a budget or changes the amount of an existing one. */
export function BudgetDialog({ budget, onClose }: { budget: Budget | null; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const [kind, setKind] = useState<AdminBudgetKind>(AdminBudgetKind.safeParse(budget?.kind).data ?? 'company')
  const [period, setPeriod] = useState<Budget['period']>(budget?.period ?? 'month')
  const [subjectId, setSubjectId] = useState<string | null>(budget?.subject_id ?? null)
  const [typed, setTyped] = useState(budget ? String(budget.amount) : '')
  const [isChecked, setChecked] = useState(false)
  const setting = useSetBudget(onClose)
  const amount = parseDecimal(typed)
  const isAmount = amount !== null && amount >= 0 && amount <= MOST
  const isSubject = kind === 'house' || subjectId !== null
  const periods = (['day', 'month', 'reply'] as const).filter(
    (one) => one !== 'reply' || kind === 'assistant',
  )
  const chooseKind = (value: string) => {
    setKind(AdminBudgetKind.options.find((one) => one === value) ?? 'house')
    setSubjectId(null)
    if (period === 'reply') setPeriod('month')
  }
  const save = () => {
    setChecked(true)
    if (isAmount && isSubject && amount !== null)
      setting.mutate({ kind, period, subject_id: kind === 'house' ? null : subjectId, amount })
  }
  return (
    <FormDialog
      title={budget ? t('budgets.change', { name: nameOfBudget(budget, t) }) : t('budgets.new')}
      send={t('administration.save')}
      busy={setting.isPending}
      onSend={save}
      onClose={onClose}
    >
      {!budget && (
        <>
          <Field label={t('budgets.for')}>
            <Select
              value={kind}
              options={AdminBudgetKind.options.map((value) => ({ value, label: t(`budgets.kind.${value}`) }))}
              onValueChange={chooseKind}
            />
          </Field>
          {kind !== 'house' && (
            <SubjectChoice
              key={kind}
              kind={kind}
              chosen={subjectId}
              error={isChecked && !isSubject ? t('budgets.choose') : undefined}
              onChoose={setSubjectId}
            />
          )}
          <Field label={t('budgets.column.period')} hint={t('usage.utc')}>
            <Select
              value={period}
              options={periods.map((value) => ({ value, label: t(`budgets.period.${value}`) }))}
              onValueChange={(value) => setPeriod(periods.find((one) => one === value) ?? 'month')}
            />
          </Field>
        </>
      )}
      <Field
        label={t('budgets.amount')}
        hint={t('budgets.amount_hint')}
        error={isChecked && !isAmount ? t('budgets.wrong') : undefined}
      >
        <Input
          inputMode="decimal"
          maxLength={20}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </Field>
      {setting.isError && (
        <Callout tone="danger" title={t('budgets.failed')}>
          {errorText(t, setting.error)}
        </Callout>
      )}
    </FormDialog>
  )
}
