import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { DatabaseColumn, DatabaseTable, FoundTable } from '#shared/tools/databases/databases.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Input } from '../../platform/ui/input.tsx'
import {
  type Chosen,
  describe,
  describeColumn,
  keyOf,
  readSamples,
  toggleColumn,
  toggleTable,
} from './chosen-tables.ts'

type TableRowProps = { table: FoundTable; chosen: Chosen; onChange: (chosen: Chosen) => void }

/** One table with its columns. */
export function TableRow({ table, chosen, onChange }: TableRowProps) {
  const { t } = useTranslation('databases')
  const [isOpen, setOpen] = useState(false)
  const own = chosen.get(keyOf(table))
  const name = table.schema === '' ? table.name : `${table.schema}.${table.name}`
  const Icon = isOpen ? ChevronDown : ChevronRight
  const count = own?.columns.length ?? 0
  return (
    <li className="px-3.5 py-2">
      <div className="flex items-center gap-2.5">
        <Checkbox
          checked={count === table.columns.length}
          mixed={count > 0 && count < table.columns.length}
          label={<span className="font-mono text-13">{name}</span>}
          className="min-w-0 flex-1"
          onCheckedChange={() => onChange(toggleTable(chosen, table))}
        />
        <span className="num text-12 text-ink-3">
          {t('tables.columns', { chosen: count, count: table.columns.length })}
        </span>
        <IconButton
          name={t('tables.open', { name })}
          size="sm"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon aria-hidden className="icon" />
        </IconButton>
      </div>
      {isOpen && (
        <div className="mt-2 grid gap-2 pl-6.5">
          {own && (
            <Input
              quiet
              maxLength={500}
              aria-label={t('tables.comment_of', { name })}
              placeholder={t('tables.comment')}
              value={own.comment}
              onChange={({ target }) => onChange(describe(chosen, own, { comment: target.value }))}
            />
          )}
          <ul className="grid gap-1.5">
            {table.columns.map((column) => (
              <ColumnRow
                key={column.name}
                column={column}
                table={own}
                onToggle={() => onChange(toggleColumn(chosen, table, column.name))}
                onDescribe={(part) => own && onChange(describeColumn(chosen, own, column.name, part))}
              />
            ))}
          </ul>
        </div>
      )}
    </li>
  )
}

type ColumnRowProps = {
  column: FoundTable['columns'][number]
  table: DatabaseTable | undefined
  onToggle: () => void
  onDescribe: (part: Partial<DatabaseColumn>) => void
}

function ColumnRow({ column: { name, type }, table, onToggle, onDescribe }: ColumnRowProps) {
  const { t } = useTranslation('databases')
  const own = table?.columns.find((one) => one.name === name)
  const [samples, setSamples] = useState(own?.samples.join('; ') ?? '')
  return (
    <li className="grid grid-cols-1 items-center gap-2 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)]">
      <Checkbox
        checked={own !== undefined}
        label={
          <span className="text-13">
            <span className="font-mono">{name}</span> <span className="text-12 text-ink-3">{type}</span>
          </span>
        }
        onCheckedChange={onToggle}
      />
      {own && (
        <>
          <Input
            quiet
            maxLength={500}
            aria-label={t('tables.comment_of', { name })}
            placeholder={t('tables.comment')}
            value={own.comment}
            onChange={({ target }) => onDescribe({ comment: target.value })}
          />
          <Input
            quiet
            maxLength={1_000}
            aria-label={t('tables.samples_of', { name })}
            placeholder={t('tables.samples')}
            value={samples}
            onChange={({ target }) => {
              setSamples(target.value)
              onDescribe({ samples: readSamples(target.value) })
            }}
          />
        </>
      )}
    </li>
  )
}
