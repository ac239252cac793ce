import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import type { Database } from '#shared/tools/databases/databases.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { chosenFrom, keyOf } from './chosen-tables.ts'
import { TableRow } from './table-row.tsx'
import { useFoundTables, useSetTables } from './use-databases.ts'

/** Maximum tables drawn; the search finds the others. */
const MAX_SHOWN = 100

/** Chooses the tables, columns, comments and samples that models see. */
export function TableChoice({ database, onBack }: { database: Database; onBack: () => void }) {
  const { t } = useTranslation('databases')
  const { data, error, isPending, refetch } = useFoundTables(database.id)
  const [chosen, setChosen] = useState(() => chosenFrom(database.tables))
  const [typed, setTyped] = useState('')
  const save = useSetTables(database.id, onBack)
  const wanted = typed.trim().toLowerCase()
  const found = (data?.items ?? []).filter(({ schema, name }) =>
    `${schema}.${name}`.toLowerCase().includes(wanted),
  )
  return (
    <>
      <div className="admin-head">
        <h2>{t('tables.title', { name: database.name })}</h2>
        <span className="flex-1" />
        <Button variant="ghost" icon={<ArrowLeft aria-hidden className="icon" />} onClick={onBack}>
          {t('back')}
        </Button>
        <Button
          variant="primary"
          disabled={!data}
          busy={save.isPending}
          onClick={() => save.mutate([...chosen.values()])}
        >
          {t('save')}
        </Button>
      </div>
      <p className="-mt-2 mb-4 text-13 text-ink-2">{t('tables.intro')}</p>
      {save.error && (
        <Callout tone="danger" className="mb-3">
          {errorText(t, save.error)}
        </Callout>
      )}
      {isPending && <Skeletons className="grid gap-2" sizes={['h-11', 'h-11', 'h-11']} />}
      {error && (
        <Callout
          tone="danger"
          title={t('tables.unreadable')}
          action={
            <Button size="sm" onClick={() => void refetch()}>
              {t('common:actions.retry')}
            </Button>
          }
        >
          {errorText(t, error)}
        </Callout>
      )}
      {data && (
        <>
          <Input
            quiet
            aria-label={t('tables.find')}
            placeholder={t('tables.find')}
            className="mb-3"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          {found.length === 0 && <p className="text-13 text-ink-2">{t('tables.none')}</p>}
          {found.length > 0 && (
            <ul className="admin-card">
              {found.slice(0, MAX_SHOWN).map((table) => (
                <TableRow key={keyOf(table)} table={table} chosen={chosen} onChange={setChosen} />
              ))}
            </ul>
          )}
          {(found.length > MAX_SHOWN || data.is_cut) && (
            <p className="mt-3 text-12 text-ink-3">{t('tables.more')}</p>
          )}
        </>
      )}
    </>
  )
}
