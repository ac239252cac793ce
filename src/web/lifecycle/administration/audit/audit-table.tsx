import { ChevronDown, CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import type { AuditEntry } from '#shared/identity/audit/audit.ts'
import { formatDate, formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Avatar } from '../../../platform/ui/avatar.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { AdminTable } from '../admin-table.tsx'

/** Audit log entries. Each expands to its changes. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const { t } = useTranslation('admin')
  const columns = ['when', 'who', 'did', 'subject', 'address', 'result'] as const
  return (
    <AdminTable columns={columns.map((column) => t(`audit.column.${column}`))} actions={t('audit.details')}>
      {entries.map((entry) => (
        <AuditRow key={entry.id} entry={entry} />
      ))}
    </AdminTable>
  )
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('admin')
  const [isOpen, setOpen] = useState(false)
  const Result = entry.refused ? CircleX : CircleCheck
  return (
    <>
      <tr>
        <th scope="row">
          <span className="num font-regular text-ink-2">
            {formatDate(entry.at, { dateStyle: 'medium', timeStyle: 'medium' })}
          </span>
        </th>
        <td data-label={t('audit.column.who')}>
          <span className="admin-person">
            <Avatar name={entry.actor.name} pictureId={null} />
            <span className="truncate font-medium">{entry.actor.name}</span>
          </span>
        </td>
        <td data-label={t('audit.column.did')}>{t(`audit.did.${entry.did}`)}</td>
        <td data-label={t('audit.column.subject')}>
          <span className="block truncate">{entry.subject || '–'}</span>
        </td>
        <td className="num text-ink-2" data-label={t('audit.column.address')}>
          {entry.address ?? '–'}
        </td>
        <td data-label={t('audit.column.result')}>
          <span className={entry.refused ? 'flex items-center gap-1 text-danger' : 'flex items-center gap-1'}>
            <Result aria-hidden className="icon-14" />
            {t(entry.refused ? 'audit.refused' : 'audit.done')}
          </span>
        </td>
        <td>
          <IconButton
            name={t('audit.open', { entry: formatNumber(entry.id) })}
            size="sm"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronDown aria-hidden className={isOpen ? 'icon rotate-180' : 'icon'} />
          </IconButton>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={7} className="!max-w-none">
            <AuditDetails entry={entry} />
          </td>
        </tr>
      )}
    </>
  )
}

function AuditDetails({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('admin')
  const facts = [
    ['entry', formatNumber(entry.id)],
    ['company', entry.company],
    ['action', entry.did],
    ['fingerprint', entry.fingerprint],
  ] as const
  return (
    <div className="grid gap-2 py-1">
      {entry.changes.length > 0 && (
        <ul className="font-mono text-12">
          {entry.changes.map(({ what, before, after }) => (
            <li key={`${what} ${before} ${after}`} className="break-all">
              {what}: {before ?? '–'} → {after ?? '–'}
            </li>
          ))}
        </ul>
      )}
      <dl className="grid gap-1 text-12">
        {facts.map(([name, value]) =>
          value === null ? null : (
            <div key={name} className="flex gap-2">
              <dt className="flex-none text-ink-3">{t(`audit.column.${name}`)}</dt>
              <dd className="break-all font-mono">{value}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  )
}
