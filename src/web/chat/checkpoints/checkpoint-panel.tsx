import { Milestone, RotateCcw, Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Checkpoint } from '#shared/chat/checkpoints/checkpoints.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { PanelHeader } from '../../platform/ui/panel-header.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { Tabs } from '../../platform/ui/tabs.tsx'
import { useCheckpoints, useLeaf, useMessages } from '../messages/messages.tsx'
import { CheckpointRow } from './checkpoint-row.tsx'
import { ComparisonView } from './comparison.tsx'
import { foldAutomatic } from './fold-automatic.ts'
import { FoldedRows } from './folded-rows.tsx'
import { choose, type Pair } from './pair.ts'
import { returnFrom } from './return-from.ts'

/** The checkpoints of the current chat, next to it: they can be named, returned to, and compared. */
export default function CheckpointPanel() {
  const { t } = useTranslation('streaming_blocks')
  const { data, isError, refetch } = useCheckpoints()
  const { leafId } = useLeaf()
  const isSwitching = useMessages((state) => state.isBranchSwitching)
  // Which of them lie on the branch on screen is known once the server has gone there too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another branch repeats the request.
  useEffect(() => {
    if (!isSwitching) void refetch()
  }, [leafId, isSwitching, refetch])
  return (
    <>
      <PanelHeader
        title={t('panel.checkpoints')}
        icon={<Milestone aria-hidden className="icon" />}
        badges={
          data && (
            <span className="num truncate text-13 text-ink-3">
              {t('checkpoints.count', { count: data.length })}
            </span>
          )
        }
      />
      {data && data.length > 0 ? (
        <Checkpoints list={data} />
      ) : data ? (
        <EmptyState icon={<Milestone aria-hidden />} title={t('checkpoints.empty')}>
          {t('checkpoints.empty_text')}
        </EmptyState>
      ) : isError ? (
        <EmptyState
          icon={<Milestone aria-hidden />}
          title={t('checkpoints.load_failed')}
          action={
            <Button icon={<RotateCcw aria-hidden className="icon" />} onClick={() => void refetch()}>
              {t('load_failed.retry')}
            </Button>
          }
        />
      ) : (
        <ListSkeleton />
      )}
    </>
  )
}

function Checkpoints({ list }: { list: readonly Checkpoint[] }) {
  const { t } = useTranslation('streaming_blocks')
  const [scope, setScope] = useState('branch')
  const [pair, setPair] = useState<Pair>([null, null])
  const own = list.filter(({ is_active }) => is_active)
  const shown = scope === 'all' || own.length === 0 ? list : own
  const byId = new Map(list.map((item) => [item.id, item]))
  const [a, b] = pair.map((id) => byId.get(id ?? '') ?? null)
  const draw = (item: Checkpoint, isLast: boolean) => (
    <CheckpointRow
      key={item.id}
      item={item}
      isLast={isLast}
      side={item.id === pair[0] ? 'A' : item.id === pair[1] ? 'B' : null}
      onChoose={() => setPair(choose(pair, item.id))}
    />
  )
  return (
    <>
      {own.length > 0 && own.length < list.length && (
        <Tabs
          name={t('checkpoints.scope')}
          value={scope}
          onValueChange={setScope}
          className="flex-none px-5"
          tabs={[
            { value: 'branch', label: t('checkpoints.this_branch'), count: own.length },
            { value: 'all', label: t('checkpoints.all_branches'), count: list.length },
          ]}
        />
      )}
      <div className="min-h-0 flex-1 overflow-y-auto">
        <ol className="px-3 py-2">
          {foldAutomatic(shown, pair).map((row, at, rows) =>
            'folded' in row ? (
              <FoldedRows key={row.folded[0]?.id} items={row.folded} draw={draw} />
            ) : (
              draw(row.item, at === rows.length - 1)
            ),
          )}
        </ol>
        <div className="border-t border-line px-5 py-3">
          {a && b ? (
            <ComparisonView
              a={a}
              b={b}
              onSwap={() => setPair([b.id, a.id])}
              onClear={() => setPair([null, null])}
            />
          ) : (
            <p className="text-13 text-ink-3">{t('checkpoints.hint')}</p>
          )}
        </div>
      </div>
      {(a || b) && (
        <footer className="flex flex-none flex-wrap items-center gap-2 border-t border-line px-5 py-2.5">
          <p className="min-w-40 flex-1 text-12 text-ink-3 max-md:basis-full">{t('checkpoints.note')}</p>
          {[a, b].map(
            (item, at) =>
              item && (
                <Button
                  key={item.id}
                  icon={<Undo2 aria-hidden className="icon" />}
                  onClick={() => void returnFrom(item, t)}
                >
                  {t('checkpoints.return_side', { side: at === 0 ? 'A' : 'B' })}
                </Button>
              ),
          )}
        </footer>
      )}
    </>
  )
}

function ListSkeleton() {
  const { t } = useTranslation('streaming_blocks')
  return (
    <div role="status" aria-label={t('checkpoints.loading')} className="p-5">
      <Delayed>
        {[1, 2, 3, 4, 5].map((row) => (
          <span key={row} className="flex h-9 items-center gap-4">
            <Skeleton className="size-5 rounded-full" />
            <Skeleton className="h-3 w-3/5" />
          </span>
        ))}
      </Delayed>
    </div>
  )
}
