import { Link, Mail, X } from 'lucide-react'
import { INVITATIONS_LIMIT, type Invitation } from '#shared/identity/accounts/joining.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge, type Tone } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { AdminTable } from '../admin-table.tsx'
import { Pages } from '../pages.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { useInvitation, type useInvitations } from './use-invitations.ts'

type InvitationsTableProps = {
  invitations: ReturnType<typeof useInvitations>
  page: number
  onPage: (page: number) => void
}

/** Invitations: invitee, sender, company and state. */
export function InvitationsTable({ invitations, page, onPage }: InvitationsTableProps) {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = invitations
  if (isPending) return <Skeletons className="grid gap-2" sizes={['h-12', 'h-12']} />
  if (error) return <ReadFailed error={error} onRetry={refetch} />
  if (data.total === 0)
    return (
      <EmptyState icon={<Mail aria-hidden />} title={t('administration.invitations.empty')}>
        {t('administration.invitations.empty_hint')}
      </EmptyState>
    )
  return (
    <>
      <AdminTable
        columns={[
          t('administration.invitations.column.for'),
          t('administration.column.company'),
          t('administration.invitations.column.by'),
          t('administration.invitations.column.ends'),
          t('administration.invitations.column.state'),
        ]}
        actions={t('administration.column.actions')}
      >
        {data.items.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </AdminTable>
      <Pages
        page={page}
        limit={INVITATIONS_LIMIT}
        shown={data.items.length}
        total={data.total}
        onPage={onPage}
      />
    </>
  )
}

const tones: Record<Invitation['state'], Tone> = { open: 'accent', accepted: 'success', ended: 'warning' }

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { t } = useTranslation('admin')
  const { send, withdraw } = useInvitation()
  const { id, email, company, role, invited_by, expires_at, state } = invitation
  const name = email ?? t('administration.invitations.anybody')
  const Icon = email ? Mail : Link
  return (
    <tr>
      <th scope="row">
        <span className="flex items-center gap-2 font-medium">
          <Icon aria-hidden className="icon-14 flex-none text-ink-3" />
          <span className="truncate">{name}</span>
        </span>
      </th>
      <td>
        <span className="flex items-center gap-2">
          <span className="truncate text-ink-2">{company.name}</span>
          {role !== 'member' && <Badge tone="line">{t(`administration.role.${role}`)}</Badge>}
        </span>
      </td>
      <td className="truncate text-ink-2">{invited_by}</td>
      <td className="num text-ink-2">{formatDate(expires_at)}</td>
      <td>
        <Badge tone={tones[state]}>{t(`administration.invitations.state.${state}`)}</Badge>
      </td>
      <td>
        {state !== 'accepted' && (
          <span className="flex items-center justify-end gap-1">
            {email && (
              <Button size="sm" variant="ghost" onClick={() => send(id)}>
                {t('administration.invitations.again')}
              </Button>
            )}
            <IconButton
              size="sm"
              name={t('administration.invitations.withdraw', { name })}
              onClick={() => withdraw(id)}
            >
              <X aria-hidden className="icon" />
            </IconButton>
          </span>
        )}
      </td>
    </tr>
  )
}
