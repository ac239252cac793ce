import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { CompanyFigures } from '#shared/lifecycle/companies/companies.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { FormDialog } from '../../../platform/ui/overlays/form-dialog.tsx'
import { useSetLimits } from './use-companies.ts'

/** Sets the maximum number of people and the storage per person. An empty field is no limit. */
export function LimitsDialog({ company, onClose }: { company: CompanyFigures; onClose: () => void }) {
  const { t } = useTranslation('companies')
  const [people, setPeople] = useState(company.max_people?.toString() ?? '')
  const [storage, setStorage] = useState(company.storage_mb?.toString() ?? '')
  const setting = useSetLimits(company.id, onClose)
  const limits = { max_people: readLimit(people), storage_mb: readLimit(storage) }
  const isWrong = Number.isNaN(limits.max_people) || Number.isNaN(limits.storage_mb)
  const field = (value: string, onValue: (value: string) => void, max: number) => (
    <Input
      type="number"
      inputMode="numeric"
      min={1}
      max={max}
      placeholder={t('limits.none')}
      value={value}
      onChange={({ target }) => onValue(target.value)}
    />
  )
  return (
    <FormDialog
      title={t('limits.title', { name: company.name })}
      send={t('admin:administration.save')}
      disabled={isWrong}
      busy={setting.isPending}
      onSend={() => setting.mutate(limits)}
      onClose={onClose}
    >
      <Field
        label={t('limits.people')}
        hint={t('limits.people_hint', { count: company.people })}
        error={Number.isNaN(limits.max_people) ? t('limits.wrong') : undefined}
      >
        {field(people, setPeople, 1_000_000)}
      </Field>
      <Field
        label={t('limits.storage')}
        hint={t('limits.storage_hint')}
        error={Number.isNaN(limits.storage_mb) ? t('limits.wrong') : undefined}
      >
        {field(storage, setStorage, 100_000_000)}
      </Field>
      <p className="text-13 text-ink-2">
        {t('limits.spending')}{' '}
        <Link to="/admin" search={{ page: 'budgets' } as never} className="text-accent underline">
          {t('limits.budgets')}
        </Link>
      </p>
      {setting.error && (
        <Callout tone="danger" title={t('limits.failed')}>
          {errorText(t, setting.error)}
        </Callout>
      )}
    </FormDialog>
  )
}

/** Returns the limit typed, null for an empty field, NaN for anything but a whole number above 0. */
function readLimit(typed: string): number | null {
  const text = typed.trim()
  if (text === '') return null
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Number.NaN
}
