import { useSearch } from '@tanstack/react-router'
import { Bookmark, Download, Plus, RotateCcw, Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { Fact } from '#shared/chat/memory/fact.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { View } from '../../platform/ui/view.tsx'
import { AddFact } from './add-fact.tsx'
import { DeleteFact } from './delete-fact.tsx'
import { FactList } from './fact-list.tsx'
import { MemorySide } from './memory-side.tsx'
import { PendingFacts } from './pending-facts.tsx'
import { exportToFile, useFacts } from './use-facts.ts'

/** All facts of a person and of their projects: search, add, edit, delete, export, and the settings of memory. */
export function MemoryView() {
  const { t } = useTranslation('memory')
  const { q: wanted = '' } = useSearch({ strict: false }) as { q?: string }
  const [typed, setTyped] = useState(wanted.slice(0, 200))
  const q = useDeferredValue(typed.trim())
  const { items, total, isError, refetch, more } = useFacts(q, 'kept')
  const [isAdding, setAdding] = useState(false)
  const [doomed, setDoomed] = useState<Fact | null>(null)
  return (
    <View
      title={t('title')}
      badges={items && <span className="num text-13 text-ink-3">{t('count', { count: total })}</span>}
      actions={
        <>
          <IconButton name={t('export')} onClick={() => void exportToFile(t)}>
            <Download aria-hidden className="icon" />
          </IconButton>
          <Button
            variant="primary"
            icon={<Plus aria-hidden className="icon" />}
            aria-label={t('add.open')}
            onClick={() => setAdding(true)}
          >
            <span className="max-md:sr-only">{t('add.open')}</span>
          </Button>
        </>
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="in-order mx-auto grid max-w-[1160px] grid-cols-1 items-start gap-x-10 gap-y-6 px-8 py-6 max-md:px-4 lg:grid-cols-[minmax(0,1fr)_280px]">
          <div className="in-order grid grid-cols-1 gap-5">
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
            <PendingFacts />
            {!items && !isError && (
              <Skeletons className="grid gap-2" sizes={['h-14 w-full', 'h-14 w-full', 'h-14 w-full']} />
            )}
            {!items && isError && <Failed onRetry={() => void refetch()} />}
            {items && items.length > 0 && <FactList facts={items} onDelete={setDoomed} />}
            {items && items.length === 0 && (
              <EmptyState icon={<Bookmark aria-hidden />} title={q ? t('no_hit', { query: q }) : t('empty')}>
                {q ? undefined : t('empty_text')}
              </EmptyState>
            )}
            {more && (
              <Button className="justify-self-center" busy={more.isLoading} onClick={more.load}>
                {t('more')}
              </Button>
            )}
          </div>
          <MemorySide />
        </div>
      </div>
      {isAdding && <AddFact onClose={() => setAdding(false)} />}
      <DeleteFact fact={doomed} onClose={() => setDoomed(null)} />
    </View>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('memory')
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
