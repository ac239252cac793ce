import clsx from 'clsx'
import type { ReactNode } from 'react'
import type { BranchHit } from '#shared/chat/branches/branches.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { modelLabel } from '../../platform/lib/models/model-label.ts'
import { Marked, splitMatch } from '../../platform/ui/marked.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { whenOf } from './map-rows.tsx'
import type { useRowWindow } from './row-window.ts'

/** Height of a hit: one line for its place, two for the passage. */
export const HIT_PX = 74

type HitListProps = {
  /** Prefix of the ids of the options. */
  id: string
  rows: ReturnType<typeof useRowWindow>
  hits: readonly BranchHit[]
  /** The hit that Enter opens. */
  at: number
  isLoading: boolean
  onOpen: (at: number) => void
  /** Shown instead of hits. */
  children: ReactNode
}

/** Found messages; only those near the screen are rendered. */
export function HitList({ id, rows, hits, at, isLoading, onOpen, children }: HitListProps) {
  const { t } = useTranslation('streaming_blocks')
  const drawn = hits.slice(rows.from, rows.to).map((_, index) => rows.from + index)
  if (hits[at] && !drawn.includes(at)) drawn.push(at)
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div
        ref={rows.scroller}
        {...(hits.length > 0 ? { role: 'listbox', 'aria-label': t('branch.find') } : {})}
        id={`${id}-hits`}
        className={clsx('overflow-y-auto', hits.length > 0 && 'min-h-0 flex-1 px-2 pb-2')}
      >
        <div role="presentation" className="relative" style={{ height: hits.length * HIT_PX }}>
          {drawn.map((index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names the active one.
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys.
            <div
              key={hits[index]!.message_id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              aria-posinset={index + 1}
              aria-setsize={hits.length}
              // The focus stays in the field.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onOpen(index)}
              style={{ top: index * HIT_PX, height: HIT_PX - 2 }}
              className={clsx(
                'absolute inset-x-0 cursor-pointer rounded-row px-2.5 py-2',
                index === at ? 'bg-surface-2 outline-2 -outline-offset-2 outline-focus' : 'hover:bg-surface',
              )}
            >
              <Hit hit={hits[index]!} />
            </div>
          ))}
        </div>
      </div>
      {isLoading && <HitSkeleton />}
      {children}
    </div>
  )
}

function Hit({ hit: { role, model_name, branch_number, is_active, created_at, match } }: { hit: BranchHit }) {
  const { t } = useTranslation('streaming_blocks')
  const writer =
    role === 'user' ? t('branch.you') : model_name ? modelLabel(model_name, t) : t('branch.reply')
  return (
    <>
      <span className="flex items-baseline gap-2 text-12 leading-4 text-ink-3">
        <span className="truncate">
          {writer}
          {' · '}
          <span className={clsx(is_active && 'font-medium text-accent')}>
            {t('branch.on_branch', { number: branch_number })}
          </span>
        </span>
        <time className="num ml-auto flex-none">{whenOf(created_at)}</time>
      </span>
      <span dir="auto" className="mt-0.5 line-clamp-2 text-13 leading-[18px] text-ink-2">
        <Marked parts={splitMatch(match)} />
      </span>
    </>
  )
}

function HitSkeleton() {
  const { t } = useTranslation('streaming_blocks')
  return (
    <div role="status" aria-label={t('branch.finding')} className="grid gap-6 px-2.5 py-2">
      <Delayed>
        {[72, 56, 64].map((width) => (
          <span key={width} className="grid gap-2">
            <Skeleton className="h-3 w-2/5" />
            <Skeleton className="h-3 w-11/12" />
          </span>
        ))}
      </Delayed>
    </div>
  )
}
