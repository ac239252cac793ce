import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { RoleName } from '#shared/accounts/accounts.ts'
import type { ManagedUser } from '#shared/administration/administration.ts'
import { TopUpForm } from '../billing/billing.tsx'
import { formatDate, formatMoney } from '../i18n/format.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { useMe } from '../lib/me.ts'
import { isSuperAdmin } from '../lib/roles.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { Menu } from '../ui/overlays/menu.tsx'
import type { MenuEntry } from '../ui/overlays/menu-entry.ts'
import { readAgain, useChangeUser, useManagedCompanies } from './use-managed.ts'

type UserRowProps = { user: ManagedUser; hasBalance: boolean }

/** One person: what they may is changed in their menu. */
export function UserRow({ user, hasBalance }: UserRowProps) {
  const { t } = useTranslation('admin')
  const [isToppingUp, setToppingUp] = useState(false)
  const name = user.full_name?.trim() || user.username
  const entries = useEntries(user, () => setToppingUp(true))
  return (
    <tr>
      <th scope="row">
        <span className="admin-person">
          <Avatar name={name} pictureId={null} />
          <span className="min-w-0">
            <span className="block truncate font-medium">{name}</span>
            <span className="block truncate text-12 font-regular text-ink-3">{user.email}</span>
          </span>
        </span>
      </th>
      <td data-label={t('administration.column.company')}>
        {user.companies.map(({ id, name: company, role }) => (
          <span key={id} className="flex items-center gap-2">
            <span className="truncate text-ink-2">{company}</span>
            {role !== 'member' && <Badge tone="line">{t(`administration.role.${role}`)}</Badge>}
          </span>
        ))}
      </td>
      <td data-label={t('administration.column.status')}>
        <span className="flex flex-wrap gap-1">
          <Badge tone={user.verified ? 'success' : 'warning'}>
            {t(user.verified ? 'administration.verified' : 'administration.unverified')}
          </Badge>
          {user.beta_access && <Badge tone="accent">{t('administration.beta')}</Badge>}
        </span>
      </td>
      {hasBalance && (
        <td className="num" data-label={t('administration.column.balance')}>
          {user.balance === null ? '' : formatMoney(user.balance)}
        </td>
      )}
      <td className="num text-ink-2" data-label={t('administration.column.last_used')}>
        {user.last_used_at ? formatDate(user.last_used_at) : t('administration.never')}
      </td>
      <td>
        <Menu
          align="end"
          trigger={
            <IconButton name={t('administration.menu', { name })} size="sm">
              <Ellipsis aria-hidden className="icon" />
            </IconButton>
          }
          entries={entries}
        />
        <Dialog
          open={isToppingUp}
          onOpenChange={setToppingUp}
          title={t('administration.top_up_of', { name })}
        >
          {isToppingUp && (
            <TopUpForm
              userId={user.id}
              onDone={() => {
                setToppingUp(false)
                void readAgain()
              }}
            />
          )}
        </Dialog>
      </td>
    </tr>
  )
}

/** What the signed-in administrator may change about a person. */
function useEntries(user: ManagedUser, onTopUp: () => void): MenuEntry[] {
  const { t } = useTranslation('admin')
  const isSuper = isSuperAdmin(useMe())
  const { mutate } = useChangeUser()
  const { data: companies = [] } = useManagedCompanies()
  const roles: RoleName[] = ['member', 'company_admin', ...(isSuper ? (['super_admin'] as const) : [])]
  const others = companies.filter(({ id }) => !user.companies.some((own) => own.id === id))
  return [
    ...user.companies.flatMap(({ id: company_id, name, role }): MenuEntry[] => [
      { kind: 'heading', label: t('administration.role_in', { company: name }) },
      ...roles.map((one) => ({
        key: `${company_id} ${one}`,
        label: t(`administration.role.${one}`),
        checked: one === role,
        onSelect: () => mutate({ user, changes: { membership: { company_id, role: one } } }),
      })),
      {
        key: `${company_id} out`,
        label: t('administration.take_out', { company: name }),
        tone: 'danger',
        onSelect: () => mutate({ user, changes: { membership: { company_id, role: null } } }),
      },
      { kind: 'separator' },
    ]),
    {
      key: 'beta',
      label: t('administration.beta_access'),
      checked: user.beta_access,
      onSelect: () => mutate({ user, changes: { beta_access: !user.beta_access } }),
    },
    {
      key: 'verified',
      label: t('administration.address_proved'),
      checked: user.verified,
      onSelect: () => mutate({ user, changes: { verified: !user.verified } }),
    },
    ...(isSuper && user.balance !== null
      ? [{ key: 'top-up', label: t('administration.top_up'), onSelect: onTopUp }]
      : []),
    ...(isSuper && others.length > 0
      ? [
          { kind: 'separator' as const },
          { kind: 'heading' as const, label: t('administration.bring_into') },
          ...others.slice(0, 20).map(({ id, name }) => ({
            key: `into ${id}`,
            label: name,
            onSelect: () =>
              mutate({ user, changes: { membership: { company_id: id, role: 'member' as const } } }),
          })),
        ]
      : []),
  ]
}
