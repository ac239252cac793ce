import { useState } from 'react'
import type { ModelConnection } from '#shared/models/connections/connections.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { ConnectionRow } from './connection-row.tsx'
import type { ConnectionTests } from './use-connections.ts'

type ConnectionListProps = {
  connections: ModelConnection[]
  tests: ConnectionTests
  onEdit: (connection: ModelConnection) => void
}

/** List of connections. Several can be expanded to show their models. */
export function ConnectionList({ connections, tests, onEdit }: ConnectionListProps) {
  const { t } = useTranslation('admin')
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) =>
    setOpen((before) => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  return (
    <div className="overflow-hidden rounded-card border border-line">
      <div
        aria-hidden
        className="grid h-9 grid-cols-(--conn) items-center gap-3.5 pr-2.5 pl-3.5 text-12 font-medium text-ink-2 [--conn:20px_32px_minmax(0,1fr)_104px_64px_140px_108px_32px] max-lg:hidden"
      >
        <span className="col-start-3">{t('models.columns.connection')}</span>
        <span>{t('models.columns.key')}</span>
        <span className="pr-2 text-right">{t('models.columns.models')}</span>
        <span>{t('models.columns.status')}</span>
        <span>{t('models.columns.last_test')}</span>
      </div>
      <ul aria-label={t('models.list')}>
        {connections.map((connection) => (
          <ConnectionRow
            key={connection.id}
            connection={connection}
            isOpen={open.has(connection.id)}
            tests={tests}
            onToggle={() => toggle(connection.id)}
            onEdit={() => onEdit(connection)}
          />
        ))}
      </ul>
    </div>
  )
}
