import { X } from 'lucide-react'
import { useState } from 'react'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import type { ManagedUserDetails, Membership } from '#shared/identity/administration/administration.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../platform/lib/me/roles.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { ConfirmDialog } from '../../../platform/ui/overlays/confirm-dialog.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { CompanyPicker } from '../company-picker.tsx'
import { useChangeUser, useManagedCompanies } from '../use-managed.ts'
import { questionOf, rolesFor } from './roles.ts'

type Asked = Membership & { company: string; question: 'take_out' | 'super_admin' | 'no_super_admin' }

/** The companies of a person with the role in each. Super admins also add companies. */
export function PersonCompanies({ person }: { person: ManagedUserDetails }) {
  const { t } = useTranslation('admin')
  const isSuper = isSuperAdmin(useMe())
  const { data: companies = [] } = useManagedCompanies()
  const { mutate, isPending } = useChangeUser()
  const [asked, setAsked] = useState<Asked | null>(null)
  const name = person.full_name?.trim() || person.username
  const change = (membership: Membership) => mutate({ user: person, changes: { membership } })
  const others = companies.filter(({ id }) => !person.companies.some((own) => own.id === id))
  return (
    <>
      {person.companies.length === 0 && (
        <p className="text-13 text-ink-3">{t('administration.person.no_company')}</p>
      )}
      {person.companies.map(({ id: company_id, name: company, role }) => (
        <div key={company_id} className="flex items-center gap-2">
          <span className="min-w-0 flex-1 truncate text-13">{company}</span>
          <Select
            size="sm"
            aria-label={t('administration.role_in', { company })}
            value={role}
            disabled={isPending}
            options={rolesFor(isSuper, role).map((one) => ({
              value: one,
              label: t(`administration.role.${one}`),
            }))}
            onValueChange={(value) => {
              const next = value as RoleName
              const question = questionOf(role, next)
              if (question) setAsked({ company_id, role: next, company, question })
              else change({ company_id, role: next })
            }}
          />
          <IconButton
            size="sm"
            name={t('administration.take_out', { company })}
            onClick={() => setAsked({ company_id, role: null, company, question: 'take_out' })}
          >
            <X aria-hidden className="icon-14" />
          </IconButton>
        </div>
      ))}
      {isSuper && others.length > 0 && (
        <div>
          <CompanyPicker
            name={t('administration.bring_into')}
            companies={others}
            value=""
            emptyLabel={t('administration.person.add_company')}
            onChoose={(company_id) => change({ company_id, role: 'member' })}
          />
        </div>
      )}
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={(open) => open || setAsked(null)}
          title={t(`administration.person.${asked.question}.title`, { name, company: asked.company })}
          message={t(`administration.person.${asked.question}.message`, { name, company: asked.company })}
          confirmLabel={t(`administration.person.${asked.question}.act`)}
          tone={asked.question === 'super_admin' ? 'primary' : 'danger'}
          onConfirm={() => {
            change({ company_id: asked.company_id, role: asked.role })
            setAsked(null)
          }}
        />
      )}
    </>
  )
}
