import { Search } from 'lucide-react'
import { useState } from 'react'
import type { AdminBudgetKind } from '#shared/money/budgets/budget-kinds.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { useBudgetSubjects } from './use-budgets.ts'

type SubjectChoiceProps = {
  kind: Exclude<AdminBudgetKind, 'house'>
  chosen: string | null
  error: string | undefined
  onChoose: (id: string | null) => void
}

/** Searches and selects a company, user, assistant or key by name. */
export function SubjectChoice({ kind, chosen, error, onChoose }: SubjectChoiceProps) {
  const { t } = useTranslation('admin')
  const [typed, setTyped] = useState('')
  const { data } = useBudgetSubjects(kind, typed)
  const options = (data?.items ?? []).map(({ id, name, detail }) => ({
    value: id,
    label: detail ? `${name} · ${detail}` : name,
  }))
  const isShown = options.some(({ value }) => value === chosen)
  return (
    <>
      <Input
        type="search"
        icon={<Search aria-hidden />}
        aria-label={t('budgets.search')}
        placeholder={t('budgets.search')}
        maxLength={200}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Field
        label={t(`budgets.kind.${kind}`)}
        hint={data?.has_more ? t('budgets.more') : undefined}
        error={error}
      >
        <Select
          value={isShown && chosen !== null ? chosen : ''}
          options={[{ value: '', label: t('budgets.choose') }, ...options]}
          onValueChange={(value) => onChoose(value || null)}
        />
      </Field>
    </>
  )
}
