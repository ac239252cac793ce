import { Database as DatabaseIcon, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Database } from '#shared/tools/databases/databases.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { DatabaseForm } from './database-form.tsx'
import { DatabaseRow } from './database-row.tsx'
import { TableChoice } from './table-choice.tsx'
import { useDatabases, useDeleteDatabase } from './use-databases.ts'

/** The databases that questions are answered from. */
export default function DatabasesPage() {
  const { t } = useTranslation('databases')
  const { data, error, isPending, refetch } = useDatabases()
  const [edited, setEdited] = useState<Database | 'new' | null>(null)
  const [choosing, setChoosing] = useState<string | null>(null)
  const [removing, setRemoving] = useState<Database | null>(null)
  const remove = useDeleteDatabase(() => setRemoving(null))
  const chosen = data?.items.find(({ id }) => id === choosing)
  if (edited)
    return (
      <DatabaseForm
        database={edited === 'new' ? null : edited}
        hasSqlite={data?.sqlite_folder !== null}
        onBack={() => setEdited(null)}
        onSaved={(saved) => {
          setEdited(null)
          if (edited === 'new') setChoosing(saved.id)
        }}
      />
    )
  if (chosen) return <TableChoice key={chosen.id} database={chosen} onBack={() => setChoosing(null)} />
  return (
    <>
      <div className="admin-head">
        <h2>{t('title')}</h2>
        <span className="flex-1" />
        <Button
          variant="primary"
          icon={<Plus aria-hidden className="icon" />}
          onClick={() => setEdited('new')}
        >
          {t('connect')}
        </Button>
      </div>
      <p className="-mt-2 mb-4 text-13 text-ink-2">{t('intro')}</p>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-14', 'h-14']} />}
      {error && !data && (
        <Callout
          tone="danger"
          action={
            <Button size="sm" onClick={() => void refetch()}>
              {t('common:actions.retry')}
            </Button>
          }
        >
          {errorText(t, error)}
        </Callout>
      )}
      {data?.items.length === 0 && (
        <EmptyState icon={<DatabaseIcon aria-hidden />} title={t('none')}>
          {t('none_hint')}
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <ul className="admin-card">
          {data.items.map((database) => (
            <DatabaseRow
              key={database.id}
              database={database}
              onEdit={() => setEdited(database)}
              onTables={() => setChoosing(database.id)}
              onRemove={() => setRemoving(database)}
            />
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => open || setRemoving(null)}
        title={t('remove_title', { name: removing?.name ?? '' })}
        message={t('remove_hint')}
        confirmLabel={t('remove')}
        busy={remove.isPending}
        onConfirm={() => removing && remove.mutate(removing.id)}
      />
    </>
  )
}
