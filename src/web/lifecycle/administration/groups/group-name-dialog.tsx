import { useState } from 'react'
import type { Group } from '#shared/identity/administration/groups.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Field } from '../../../platform/ui/field.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { NameDialog } from '../companies/name-dialog.tsx'
import { useManagedCompanies } from '../use-managed.ts'
import { useNameGroup } from './use-groups.ts'

/** Renames a group, or creates one in a company. */
export function GroupNameDialog({ group, onClose }: { group: Group | null; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const { data: companies = [] } = useManagedCompanies()
  const [chosen, setChosen] = useState('')
  const companyId = chosen || companies[0]?.id || ''
  const naming = useNameGroup(onClose)
  return (
    <NameDialog
      title={t('administration.groups.new')}
      label={t('administration.groups.name')}
      name={group?.name ?? null}
      isWhole={group !== null || companyId !== ''}
      naming={naming}
      onName={(name) => naming.mutate({ ...(group ? { id: group.id } : { company_id: companyId }), name })}
      onClose={onClose}
    >
      {!group && (
        <Field label={t('administration.column.company_alone')}>
          <Select
            value={companyId}
            options={companies.map(({ id, name: label }) => ({ value: id, label }))}
            onValueChange={setChosen}
          />
        </Field>
      )}
    </NameDialog>
  )
}
