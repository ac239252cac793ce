import { useState } from 'react'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import type { Audience } from '#shared/identity/announcements/announcements.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { useGroups } from '../groups/use-groups.ts'
import { useManagedCompanies } from '../use-managed.ts'

type AudienceChoiceProps = { audience: Audience; isSuper: boolean; onChange: (audience: Audience) => void }
const roles = ['member', 'company_admin', 'super_admin'] as const satisfies RoleName[]

/** Audience picker: everyone, or some companies or groups, optionally limited to some roles. */
export function AudienceChoice({ audience, isSuper, onChange }: AudienceChoiceProps) {
  const { t } = useTranslation('admin')
  const { data: companies = [] } = useManagedCompanies()
  const { data: groups } = useGroups()
  const [asked, setAsked] = useState<'companies' | 'groups' | null>(null)
  const { company_ids, group_ids } = audience
  const kind =
    asked ??
    (group_ids.length > 0 ? 'groups' : company_ids.length > 0 || !isSuper ? 'companies' : 'everybody')
  const kinds = [...(isSuper ? ['everybody' as const] : []), 'companies' as const, 'groups' as const]
  const choose = (value: string) => {
    setAsked(value === 'companies' || value === 'groups' ? value : null)
    onChange({ ...audience, company_ids: [], group_ids: [] })
  }
  const things = kind === 'groups' ? (groups?.items ?? []) : kind === 'companies' ? companies : []
  const chosen = kind === 'groups' ? group_ids : company_ids
  const toggle = (id: string) => {
    const ids = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]
    onChange({
      ...audience,
      ...(kind === 'groups' ? { group_ids: ids, company_ids: [] } : { company_ids: ids, group_ids: [] }),
    })
  }
  return (
    <>
      <Field label={t('announcements.for')}>
        <Select
          value={kind}
          options={kinds.map((value) => ({ value, label: t(`announcements.audience.${value}`) }))}
          onValueChange={choose}
        />
      </Field>
      {things.length > 0 && (
        <fieldset aria-label={t('announcements.for')} className="announcement-choices">
          {things.map((thing) => (
            <Checkbox
              key={thing.id}
              checked={chosen.includes(thing.id)}
              onCheckedChange={() => toggle(thing.id)}
              label={'company' in thing ? `${thing.name} · ${thing.company.name}` : thing.name}
            />
          ))}
        </fieldset>
      )}
      <fieldset aria-label={t('announcements.roles')} className="announcement-choices">
        {roles.map((role) => (
          <Checkbox
            key={role}
            checked={audience.roles.length === 0 || audience.roles.includes(role)}
            onCheckedChange={(isOn) => onChange({ ...audience, roles: withRole(audience.roles, role, isOn) })}
            label={t(`administration.role.${role}`)}
          />
        ))}
      </fieldset>
    </>
  )
}

/** Adds or removes a role. An empty list means all roles. The last role cannot be removed. */
function withRole(before: RoleName[], role: RoleName, isOn: boolean): RoleName[] {
  const now = before.length === 0 ? [...roles] : before
  const next = isOn ? [...now, role] : now.filter((one) => one !== role)
  if (next.length === 0) return before
  return next.length === roles.length ? [] : next
}
