import type { ManagedCompany } from '#shared/identity/administration/administration.ts'
import { OutwardCalls } from '#shared/platform/outward.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Field } from '../../../platform/ui/field.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { useChangeCompany } from '../use-managed.ts'

/** Sets when calls that send data outside need approval in a company's chats. */
export function CompanyOutwardField({ company }: { company: ManagedCompany }) {
  const { t } = useTranslation('admin')
  const changing = useChangeCompany()
  const { id, outward_calls, outward_fixed_by } = company
  const isFixed = outward_fixed_by.length > 0
  const hint = isFixed
    ? t('administration.fixed_by', { names: outward_fixed_by.join(', ') })
    : t(`administration.outward.hint.${outward_calls}`)
  return (
    <Field label={t('administration.outward.label')} hint={hint}>
      <Select
        value={outward_calls}
        disabled={isFixed || changing.isPending}
        options={OutwardCalls.options.map((value) => ({
          value,
          label: t(`administration.outward.choice.${value}`),
        }))}
        onValueChange={(value) => changing.mutate({ id, outward_calls: OutwardCalls.parse(value) })}
      />
    </Field>
  )
}
