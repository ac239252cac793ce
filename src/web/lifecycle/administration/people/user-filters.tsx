import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import { UserState } from '#shared/identity/administration/administration.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Select } from '../../../platform/ui/select.tsx'
import { CompanyPicker } from '../company-picker.tsx'
import { type UserFilter, useManagedCompanies } from '../use-managed.ts'

// A local list: importing the schema's list would add all schemas to the initial bundle.
const roles: RoleName[] = ['super_admin', 'company_admin', 'member']

type UserFiltersProps = { filter: UserFilter; onChange: (filter: UserFilter) => void }

/** Filters users by company, role and state. */
export function UserFilters({ filter, onChange }: UserFiltersProps) {
  const { t } = useTranslation('admin')
  const { data: companies = [] } = useManagedCompanies()
  return (
    <div className="mb-3 flex flex-wrap gap-2">
      {companies.length > 1 && (
        <CompanyPicker
          name={t('administration.filter.company')}
          companies={companies}
          value={filter.company_id ?? ''}
          emptyLabel={t('administration.filter.any_company')}
          canClear
          onChoose={(company_id) => onChange({ ...filter, company_id })}
        />
      )}
      <Select
        size="sm"
        quiet
        aria-label={t('administration.filter.role')}
        value={filter.role ?? ''}
        options={[
          { value: '', label: t('administration.filter.any_role') },
          ...roles.map((role) => ({ value: role, label: t(`administration.role.${role}`) })),
        ]}
        onValueChange={(role) => onChange({ ...filter, role: role as RoleName | '' })}
      />
      <Select
        size="sm"
        quiet
        aria-label={t('administration.filter.state')}
        value={filter.state ?? ''}
        options={[
          { value: '', label: t('administration.filter.any_state') },
          ...UserState.options.map((state) => ({ value: state, label: t(`administration.filter.${state}`) })),
        ]}
        onValueChange={(state) => onChange({ ...filter, state: state as UserState | '' })}
      />
    </div>
  )
}
