import { ChevronRight } from 'lucide-react'
import type { ManagedUser } from '#shared/identity/administration/administration.ts'
import { formatDate, formatMoney } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Avatar } from '../../../platform/ui/avatar.tsx'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { StateBadges } from './state-badges.tsx'

/** Companies named in a row; the panel lists all. */
const SHOWN_COMPANIES = 2

type UserRowProps = {
  user: ManagedUser
  hasBalance: boolean
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
  onOpen: () => void
}

/** One user. The row opens their panel. */
export function UserRow({ user, hasBalance, isSelected, onSelect, onOpen }: UserRowProps) {
  const { t } = useTranslation('admin')
  const name = user.full_name?.trim() || user.username
  const more = user.companies.length - SHOWN_COMPANIES
  return (
    <tr data-selected={isSelected || undefined}>
      <td className="admin-check">
        <Checkbox
          aria-label={t('administration.bulk.select', { name })}
          checked={isSelected}
          onCheckedChange={onSelect}
        />
      </td>
      <th scope="row">
        <button type="button" className="admin-person w-full text-start" onClick={onOpen}>
          <Avatar name={name} pictureId={null} />
          <span className="min-w-0">
            <span className="block truncate font-medium">{name}</span>
            <span className="block truncate text-12 font-regular text-ink-3">{user.email}</span>
          </span>
        </button>
      </th>
      <td data-label={t('administration.column.company')}>
        <span className="grid min-w-0 gap-0.5">
          {user.companies.slice(0, SHOWN_COMPANIES).map(({ id, name: company, role }) => (
            <span key={id} className="flex min-w-0 items-center gap-2">
              <span className="truncate text-ink-2">{company}</span>
              {role !== 'member' && <Badge tone="line">{t(`administration.role.${role}`)}</Badge>}
            </span>
          ))}
          {more > 0 && (
            <span className="text-12 text-ink-3">{t('administration.more_companies', { count: more })}</span>
          )}
        </span>
      </td>
      <td data-label={t('administration.column.status')}>
        <StateBadges user={user} />
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
        <IconButton name={t('administration.menu', { name })} size="sm" onClick={onOpen}>
          <ChevronRight aria-hidden className="icon" />
        </IconButton>
      </td>
    </tr>
  )
}
