import clsx from 'clsx'
import { memo } from 'react'
import { formatDate, formatTime } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { modelLabel } from '../../platform/lib/models/model-label.ts'
import { ROW_PX } from './map-graph.tsx'
import type { MapRow } from './map-layout.ts'

type MapRowViewProps = {
  row: MapRow
  at: number
  id: string
  indent: number
  isCurrent: boolean
  onPoint: (at: number | null) => void
  onOpen: (at: number) => void
}

/** One row of the map. The list has the focus and references the active row. */
export const MapRowView = memo(function MapRowView({
  row,
  at,
  id,
  indent,
  isCurrent,
  onPoint,
  onOpen,
}: MapRowViewProps) {
  const { t } = useTranslation('streaming_blocks')
  const { message, folded } = row
  const title = folded > 0 ? t('branch.more', { count: folded }) : message.text || t('branch.no_text')
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names the active item.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys.
    <div
      id={id}
      role="treeitem"
      aria-level={row.lane + 1}
      aria-selected={isCurrent}
      aria-current={row.isHere ? 'true' : undefined}
      aria-expanded={folded > 0 ? false : undefined}
      onClick={() => onOpen(at)}
      onPointerMove={(event) => {
        // Scrolling under a resting pointer does not count as hovering.
        if (event.movementX || event.movementY) onPoint(at)
      }}
      onPointerLeave={() => onPoint(null)}
      style={{ top: at * ROW_PX, height: ROW_PX, paddingLeft: indent }}
      className={clsx(
        'absolute inset-x-0 grid cursor-pointer grid-cols-[minmax(0,1fr)_auto] content-center gap-x-2.5 rounded-row pr-2.5',
        row.isHere ? 'bg-accent-soft' : 'hover:bg-surface',
        isCurrent &&
          'group-focus-visible/tree:bg-surface-2 group-focus-visible/tree:outline-2 group-focus-visible/tree:-outline-offset-2 group-focus-visible/tree:outline-focus',
      )}
    >
      <span
        className={clsx(
          'truncate text-13 leading-[17px]',
          row.isActive ? 'font-medium text-ink' : 'text-ink-2',
        )}
      >
        {title}
      </span>
      <time className="num text-12 leading-[17px] text-ink-3">{whenOf(message.created_at)}</time>
      {folded === 0 && (
        <span className="truncate text-12 leading-4 text-ink-3">
          <Note row={row} />
        </span>
      )}
    </div>
  )
})

function Note({ row: { message, position, count, isHere } }: { row: MapRow }) {
  const { t } = useTranslation('streaming_blocks')
  const facts = [
    count > 1 ? `${position} / ${count}` : null,
    message.role === 'user'
      ? t('branch.you')
      : message.model_name
        ? modelLabel(message.model_name, t)
        : t('branch.reply'),
  ]
  return (
    <>
      {facts.filter(Boolean).join(' · ')}
      {isHere && (
        <>
          {' · '}
          <span className="font-medium text-accent">{t('branch.here')}</span>
        </>
      )}
    </>
  )
}

/** Returns the time of today's messages, the date of older ones. */
export function whenOf(at: string): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString()
  return isToday ? formatTime(at) : formatDate(at, { day: 'numeric', month: 'short' })
}
