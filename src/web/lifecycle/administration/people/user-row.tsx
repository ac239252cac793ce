import { useNavigate } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { ManagedUser } from '#shared/identity/administration/administration.ts'
import { TopUpForm } from '../../../money/billing/billing.tsx'
import { formatDate, formatMoney } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Avatar } from '../../../platform/ui/avatar.tsx'
import { Badge } from '../../../platform/ui/badge.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { Menu } from '../../../platform/ui/overlays/menu.tsx'
import { DeletePerson } from '../../erasure/erasure.tsx'
import { OpenChatsDialog } from '../accesses/open-chats-dialog.tsx'
import { readAgain } from '../use-managed.ts'
import { HelpDialog } from './help-dialog.tsx'
import type { Help } from './use-helping.ts'
import { useUserEntries } from './user-entries.ts'

type UserRowProps = { user: ManagedUser; hasBalance: boolean }

/** One user, with a menu that changes their permissions. */
export function UserRow({ user, hasBalance }: UserRowProps) {
  const { t } = useTranslation('admin')
  const [isToppingUp, setToppingUp] = useState(false)
  const name = user.full_name?.trim() || user.username
  const [isDeleting, setDeleting] = useState(false)
  const [isOpening, setOpening] = useState(false)
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Help | null>(null)
  const entries = useUserEntries(user, {
    onTopUp: () => setToppingUp(true),
    onDelete: () => setDeleting(true),
    onOpenChats: () => setOpening(true),
    onAsk: setAsked,
  })
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
          {!user.is_active && <Badge tone="danger">{t('administration.deactivated')}</Badge>}
          {user.has_second_factor && <Badge tone="line">{t('administration.two_steps')}</Badge>}
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
        {isDeleting && (
          <DeletePerson
            person={{ id: user.id, name, email: user.email }}
            onClose={() => setDeleting(false)}
            onDeleted={() => {
              setDeleting(false)
              void readAgain()
            }}
          />
        )}
        {isOpening && (
          <OpenChatsDialog
            user={user}
            onClose={() => setOpening(false)}
            onOpened={() => void navigate({ to: '/admin', search: { page: 'accesses' } as never })}
          />
        )}
        {asked && <HelpDialog user={user} help={asked} onClose={() => setAsked(null)} />}
      </td>
    </tr>
  )
}
