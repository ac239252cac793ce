import { useState } from 'react'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import type { ProjectBudget, ProjectBudgetPeriod } from '#shared/money/budgets/project-spending.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatCost } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { parseDecimal } from '../../../platform/lib/money.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { useSetBudget, useSpending } from '../page/use-parts.ts'
import { SettingsSection } from './settings-section.tsx'

/** Dollars, as the contract says. */
const MAX_AMOUNT = 1_000_000
const periods = ['month', 'day'] as const

/** The budgets of a project: the maximum in a month and in a day. */
export function BudgetSection({ project: { id } }: { project: ProjectDetails }) {
  const { t } = useTranslation('projects')
  const { data } = useSpending(id)
  return (
    <SettingsSection title={t('budget.title')} text={t('budget.text')}>
      {!data && <Skeletons sizes={['h-14 w-full', 'h-14 w-full']} />}
      {data &&
        periods.map((period) => (
          <BudgetField
            key={period}
            id={id}
            period={period}
            budget={data.budgets.find((one) => one.period === period) ?? null}
          />
        ))}
    </SettingsSection>
  )
}

type BudgetFieldProps = { id: string; period: ProjectBudgetPeriod; budget: ProjectBudget | null }

function BudgetField({ id, period, budget }: BudgetFieldProps) {
  const { t } = useTranslation('projects')
  const saved = budget === null ? '' : String(budget.amount)
  const [draft, setDraft] = useState<string | null>(null)
  const { mutateAsync, isPending } = useSetBudget(id)
  const typed = draft ?? saved
  const amount = typed.trim() === '' ? null : parseDecimal(typed)
  const isValid = typed.trim() === '' || (amount !== null && amount >= 0 && amount <= MAX_AMOUNT)
  const save = async () => {
    if (!isValid || isPending || draft === null) return
    try {
      await mutateAsync({ period, amount })
      setDraft(null)
      void toast.success(t(amount === null ? 'budget.removed' : 'budget.saved'))
    } catch (error) {
      void toast.error(errorText(t, error))
    }
  }
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div className="min-w-0 flex-1">
        <Field
          label={t(`budget.${period}`)}
          hint={budget ? t('budget.spent', { spent: formatCost(budget.spent) }) : t('budget.none')}
          error={isValid ? undefined : t('budget.wrong')}
        >
          <Input inputMode="decimal" value={typed} onChange={({ target }) => setDraft(target.value)} />
        </Field>
      </div>
      <Button
        type="submit"
        className="mb-6"
        aria-label={t('budget.save', { period: t(`budget.${period}`) })}
        busy={isPending}
        disabled={!isValid || draft === null || draft.trim() === saved}
      >
        {t('settings.save')}
      </Button>
    </form>
  )
}
