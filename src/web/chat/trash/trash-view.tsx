import { RotateCcw, Search, Trash2 } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { MAX_TRASH_ITEMS, type TrashItem } from '#shared/chat/trash/trash.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { View } from '../../platform/ui/view.tsx'
import { SelectionLine } from './selection-line.tsx'
import { TrashRow } from './trash-row.tsx'
import { useTrash, useTrashActions } from './use-trash.ts'

/** Deleted chats and documents: find, restore, delete permanently. */
export function TrashView() {
  const { t } = useTranslation('trash')
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const { items, total, days, isError, refetch, more } = useTrash(q)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const selected = items?.filter(({ id }) => chosen.has(id)).slice(0, MAX_TRASH_ITEMS) ?? []
  /** The items that the dialog asks about; `all` for the whole trash. */
  const [asked, setAsked] = useState<readonly TrashItem[] | 'all' | null>(null)
  const { restoring, deleting } = useTrashActions(() => {
    setAsked(null)
    setChosen(new Set())
  })
  const isBusy = restoring.isPending || deleting.isPending
  const select = (id: string, isSelected: boolean) =>
    setChosen(new Set(isSelected ? [...chosen, id] : [...chosen].filter((one) => one !== id)))
  return (
    <View
      title={t('title')}
      badges={items && total > 0 && <span className="num text-13 text-ink-3">{total}</span>}
      actions={
        items &&
        total > 0 && (
          <Button disabled={isBusy} onClick={() => setAsked('all')}>
            {t('empty')}
          </Button>
        )
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[880px] grid-cols-1 gap-3 px-8 py-6 max-md:px-4">
          <p className="min-h-5 text-13 text-ink-2">
            {days !== null && t(days === 0 ? 'off' : 'intro', { count: days })}
          </p>
          <Input
            type="search"
            quiet
            maxLength={200}
            icon={<Search aria-hidden />}
            aria-label={t('search')}
            placeholder={t('search')}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          {!items && !isError && (
            <Skeletons className="grid gap-2" sizes={['h-14 w-full', 'h-14 w-full', 'h-14 w-full']} />
          )}
          {!items && isError && <Failed onRetry={() => void refetch()} />}
          {items && items.length > 0 && (
            <>
              <SelectionLine
                {...{ items, selected, isBusy }}
                onAll={(isAll) => setChosen(new Set(isAll ? items.map(({ id }) => id) : []))}
                onRestore={() => restoring.mutate(selected)}
                onDelete={() => setAsked(selected)}
              />
              <ul aria-label={t('title')} className="divide-y divide-line rounded-card border border-line">
                {items.map((item) => (
                  <TrashRow
                    key={item.id}
                    {...{ item, isBusy }}
                    isSelected={chosen.has(item.id)}
                    onSelect={(isSelected) => select(item.id, isSelected)}
                    onRestore={() => restoring.mutate([item])}
                    onDelete={() => setAsked([item])}
                  />
                ))}
              </ul>
            </>
          )}
          {items && items.length === 0 && (
            <EmptyState icon={<Trash2 aria-hidden />} title={t(q ? 'no_hit' : 'nothing', { query: q })} />
          )}
          {more && (
            <Button className="justify-self-center" busy={more.isLoading} onClick={more.load}>
              {t('more')}
            </Button>
          )}
        </div>
      </div>
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(isOpen) => !isOpen && setAsked(null)}
        title={
          asked === 'all' ? t('ask_all') : t('ask', { count: asked?.length ?? 0, name: asked?.[0]?.name })
        }
        message={t('ask_text')}
        confirmLabel={t('delete')}
        busy={deleting.isPending}
        onConfirm={() => deleting.mutate(asked === 'all' ? null : (asked ?? []))}
      />
    </View>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('trash')
  return (
    <Callout
      tone="danger"
      action={
        <Button size="sm" icon={<RotateCcw aria-hidden className="icon-14" />} onClick={onRetry}>
          {t('common:actions.retry')}
        </Button>
      }
    >
      {t('load_failed')}
    </Callout>
  )
}
