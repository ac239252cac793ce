import { Link } from '@tanstack/react-router'
import { AppWindow, KeyRound, type LucideIcon, MessageSquareCode, Trash2, Webhook } from 'lucide-react'
import type { OutsideAccess, OutsideKind } from '#shared/lifecycle/outside-access/outside-access.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { AdminTable } from '../admin-table.tsx'

const icons: Record<OutsideKind, LucideIcon> = {
  key: KeyRound,
  embed: MessageSquareCode,
  program: AppWindow,
  webhook: Webhook,
}
const tones = { expired: 'warning', off: 'line' } as const

type OutsideAccessTableProps = {
  items: readonly OutsideAccess[]
  onEnd: (access: OutsideAccess) => void
}

/** Outside access with owner, company and last use, each with a button to revoke it. */
export function OutsideAccessTable({ items, onEnd }: OutsideAccessTableProps) {
  const { t } = useTranslation('outside_access')
  const columns = ['name', 'owner', 'used', 'ends'] as const
  return (
    <AdminTable
      columns={columns.map((column) => t(`column.${column}`))}
      actions={t('admin:administration.column.actions')}
      className="outside-access"
    >
      {items.map((access) => (
        <AccessRow key={access.id} access={access} onEnd={() => onEnd(access)} />
      ))}
    </AdminTable>
  )
}

function AccessRow({ access, onEnd }: { access: OutsideAccess; onEnd: () => void }) {
  const { t } = useTranslation('outside_access')
  const { name, kind, detail, owner, companies, state, expires_at, last_used_at } = access
  const Icon = icons[kind]
  return (
    <tr>
      <th scope="row">
        <span className="flex items-center gap-2.5">
          <Icon aria-hidden className="icon flex-none text-ink-2" />
          <span className="min-w-0">
            <span className="block truncate font-medium">{name}</span>
            <span className="block truncate text-12 font-regular text-ink-3">
              {t(`one.${kind}`)} · {detail}
            </span>
          </span>
        </span>
      </th>
      <td data-label={t('column.owner')}>
        <span className="block min-w-0">
          {owner ? (
            <Link
              to="/admin"
              search={{ page: 'users', tab: 'people', person: owner.id } as never}
              className="block truncate hover:underline"
            >
              {owner.name}
            </Link>
          ) : (
            <span className="block">{t('of_company')}</span>
          )}
          <span className="block truncate text-12 text-ink-3">{companies.join(', ') || '–'}</span>
        </span>
      </td>
      <td className="num text-ink-2" data-label={t('column.used')}>
        {last_used_at ? formatDate(last_used_at) : t('never')}
      </td>
      <td className="num text-ink-2" data-label={t('column.ends')}>
        {state === 'active' ? (
          <Ends kind={kind} at={expires_at} />
        ) : (
          <Badge tone={tones[state]}>{t(`state.${state}`)}</Badge>
        )}
      </td>
      <td>
        <IconButton name={t('revoke', { name })} size="sm" onClick={onEnd}>
          <Trash2 aria-hidden className="icon-14" />
        </IconButton>
      </td>
    </tr>
  )
}

function Ends({ kind, at }: { kind: OutsideKind; at: string | null }) {
  const { t } = useTranslation('outside_access')
  if (at !== null) return formatDate(at)
  return kind === 'webhook' ? '–' : t('no_end')
}
