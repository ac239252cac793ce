import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import type { ManagedUser } from '#shared/identity/administration/administration.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../platform/lib/me/roles.ts'
import type { MenuEntry } from '../../../platform/ui/overlays/menu-entry.ts'
import { useChangeUser, useManagedCompanies } from '../use-managed.ts'
import { type Help, useHelping } from './use-helping.ts'

/** Returns the menu entries for the changes the signed-in administrator may make to a user. */
export function useUserEntries(
  user: ManagedUser,
  {
    onTopUp,
    onDelete,
    onAsk,
    onOpenChats,
  }: { onTopUp: () => void; onDelete: () => void; onOpenChats: () => void; onAsk: (help: Help) => void },
): MenuEntry[] {
  const { t } = useTranslation('admin')
  const me = useMe()
  const isSuper = isSuperAdmin(me)
  const { mutate } = useChangeUser()
  const help = useHelping()
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
    ...(isSuper && user.balance !== null
      ? [{ key: 'top-up', label: t('administration.top_up'), onSelect: onTopUp }]
      : []),
    { kind: 'separator' },
    {
      key: 'password',
      label: t('administration.help.password.act'),
      onSelect: () => help.mutate({ user, help: 'password' }),
    },
    ...(user.verified
      ? []
      : [
          {
            key: 'verification',
            label: t('administration.help.verification.act'),
            onSelect: () => help.mutate({ user, help: 'verification' }),
          },
        ]),
    {
      key: 'sign-out',
      label: t('administration.help.sign_out.act'),
      onSelect: () => onAsk('sign_out'),
    },
    ...(user.has_second_factor
      ? [
          {
            key: 'second-factor',
            label: t('administration.help.second_factor.act'),
            onSelect: () => onAsk('second_factor'),
          },
        ]
      : []),
    ...(user.id === me?.id
      ? []
      : [
          {
            key: 'release',
            label: t('administration.help.release.act'),
            onSelect: () => onAsk('release'),
          },
        ]),
    ...(user.is_active
      ? [
          {
            key: 'deactivate',
            label: t('administration.help.deactivate.act'),
            tone: 'danger' as const,
            onSelect: () => onAsk('deactivate'),
          },
        ]
      : [
          {
            key: 'reactivate',
            label: t('administration.help.reactivate.act'),
            onSelect: () => help.mutate({ user, help: 'reactivate' }),
          },
        ]),
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
    ...(user.id === me?.id
      ? []
      : [
          ...(isSuper
            ? [{ key: 'chats', label: t('administration.accesses.open_entry'), onSelect: onOpenChats }]
            : []),
          { kind: 'separator' as const },
          {
            key: 'delete',
            label: t('erasure:person.action'),
            tone: 'danger' as const,
            onSelect: onDelete,
          },
        ]),
  ]
}
