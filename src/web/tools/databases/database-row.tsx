import { Link } from '@tanstack/react-router'
import { Database as DatabaseIcon, File, Pencil, Trash2 } from 'lucide-react'
import type { Database } from '#shared/tools/databases/databases.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button, buttonLook } from '../../platform/ui/button.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { kindNames } from './kind-names.ts'

type DatabaseRowProps = { database: Database; onEdit: () => void; onTables: () => void; onRemove: () => void }

/** One database: how it is reached, how many tables models see, and who may use it. */
export function DatabaseRow({ database, onEdit, onTables, onRemove }: DatabaseRowProps) {
  const { t } = useTranslation('databases')
  const { name, kind, host, port, database: base, tables } = database
  const Icon = kind === 'sqlite' ? File : DatabaseIcon
  const place = kind === 'sqlite' ? base : `${host}${port === null ? '' : `:${port}`}/${base}`
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5">
      <Icon aria-hidden className="icon flex-none text-ink-2" />
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex items-center gap-2">
          <span className="truncate text-14 font-medium">{name}</span>
          <Badge tone="line">{kindNames[kind]}</Badge>
        </p>
        <p className="truncate font-mono text-12 text-ink-2">{place}</p>
      </div>
      <Button size="sm" onClick={onTables}>
        {tables.length === 0 ? t('tables.choose') : t('tables.count', { count: tables.length })}
      </Button>
      <Link
        to="/admin"
        search={{ page: 'grants', kind: 'database' } as never}
        className={buttonLook({ variant: 'ghost', size: 'sm' })}
      >
        {t('access')}
      </Link>
      <span className="flex gap-1">
        <IconButton name={t('edit', { name })} size="sm" onClick={onEdit}>
          <Pencil aria-hidden className="icon" />
        </IconButton>
        <IconButton name={t('remove_one', { name })} size="sm" onClick={onRemove}>
          <Trash2 aria-hidden className="icon" />
        </IconButton>
      </span>
    </li>
  )
}
