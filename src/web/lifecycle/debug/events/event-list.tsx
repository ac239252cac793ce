import clsx from 'clsx'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { type Entry, type EventTone, readProgress, toneOf } from './event-entry.ts'

const ROW = 24
const PADDING = 6
/** Maximum number of data characters per row. */
const SHOWN_CHARACTERS = 300

type EventListProps = {
  entries: readonly Entry[]
  /** Height in pixels. The list scrolls and renders only visible rows. */
  height: number
  name: string
  /** Makes rows selectable by mouse and keyboard. */
  selectedKey?: number | null
  onSelect?: (key: number) => void
}

/** Events with times, coloured by type. Follows the newest event until the user scrolls up. */
export function EventList({ entries, height, name, selectedKey = null, onSelect }: EventListProps) {
  const { t } = useTranslation('admin')
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const [top, setTop] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new line moves the end.
  useLayoutEffect(() => {
    if (isAtEnd.current && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
  }, [entries])
  const onScroll = () => {
    const { scrollTop = 0, scrollHeight = 0 } = scroller.current ?? {}
    isAtEnd.current = scrollHeight - scrollTop - height < ROW
    setTop(scrollTop)
  }
  const isChoice = onSelect !== undefined && entries.length > 0
  const visible = Math.ceil(height / ROW)
  const first = Math.max(0, Math.min(Math.floor(top / ROW), entries.length - visible) - 4)
  const shown = entries.slice(first, first + visible + 8)
  const isShown = shown.some(({ key }) => key === selectedKey)
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      Home: -entries.length,
      End: entries.length,
    }
    const step = steps[event.key]
    if (!onSelect || step === undefined || entries.length === 0) return
    event.preventDefault()
    const at = entries.findIndex(({ key }) => key === selectedKey)
    const next = Math.max(0, Math.min(entries.length - 1, at < 0 ? entries.length - 1 : at + step))
    onSelect(entries[next]!.key)
    if (scroller.current) keepInView(scroller.current, next, height)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it has one of two roles, both of which take a name.
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: see above.
    <div
      ref={scroller}
      role={isChoice ? 'listbox' : 'log'}
      aria-label={name}
      aria-live={isChoice ? undefined : 'off'}
      aria-activedescendant={isShown ? `${id}-${selectedKey}` : undefined}
      tabIndex={0}
      onScroll={onScroll}
      onKeyDown={move}
      style={{ height }}
      className="overflow-y-auto rounded-card border border-line bg-surface font-mono text-12 focus-visible:-outline-offset-2"
    >
      {entries.length === 0 ? (
        <p className="px-3.5 py-3 font-ui text-13 text-ink-3">{t('debug.no_events')}</p>
      ) : (
        <div className="relative" style={{ height: entries.length * ROW + 2 * PADDING }}>
          {shown.map((entry, at) => (
            <EventRow
              key={entry.key}
              id={`${id}-${entry.key}`}
              entry={entry}
              index={first + at}
              isSelected={entry.key === selectedKey}
              onSelect={onSelect}
            />
          ))}
        </div>
      )}
    </div>
  )
}

type EventRowProps = {
  id: string
  entry: Entry
  index: number
  isSelected: boolean
  onSelect: ((key: number) => void) | undefined
}

function EventRow({ id, entry, index, isSelected, onSelect }: EventRowProps) {
  const { t } = useTranslation('admin')
  const option = onSelect && {
    role: 'option',
    'aria-selected': isSelected,
    onClick: () => onSelect(entry.key),
  }
  return (
    <div
      id={id}
      {...option}
      data-event={entry.type}
      style={{ top: PADDING + index * ROW, height: ROW }}
      className={clsx(
        'absolute inset-x-0 grid grid-cols-[92px_196px_minmax(0,1fr)] items-center @min-[1000px]:grid-cols-[96px_232px_minmax(0,1fr)] gap-3 px-3.5 leading-[18px] whitespace-nowrap',
        isSelected ? 'bg-accent-soft' : index % 2 === 1 && 'bg-surface-2/45',
        onSelect && 'cursor-pointer',
      )}
    >
      <span className="num text-ink-3">{formatMoment(entry.at)}</span>
      <span className={clsx('truncate', inks[toneOf(entry.type)])}>
        {entry.type}
        {entry.count > 1 && <span className="text-ink-3"> ×{formatNumber(entry.count)}</span>}
      </span>
      <span className="truncate text-ink-2">{summaryOf(entry, t)}</span>
    </div>
  )
}

function summaryOf(entry: Entry, t: (key: string, values: Record<string, unknown>) => string): string {
  const progress = readProgress(entry)
  if (progress) return `${formatPercent(progress.percent)} · ${progress.step}`
  if (entry.pieces !== null)
    return t('debug.joined', { count: entry.pieces, kb: formatNumber(Math.ceil(entry.data.length / 1000)) })
  return tellingPart(entry).slice(0, SHOWN_CHARACTERS)
}

/** Omits run, step and attempt, which every event contains, to save space. */
function tellingPart({ data, fields }: Entry): string {
  const { run_id, step_key, attempt, ...rest } = fields
  return Object.keys(rest).length > 0 && data.length < 10_000 ? JSON.stringify(rest) : data
}

/** Formats a percentage with two decimals. */
export function formatPercent(percent: number): string {
  return `${formatNumber(percent, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}\u00a0%`
}

function formatMoment(at: Date): string {
  return at.toTimeString().slice(0, 8) + (at.getMilliseconds() / 1000).toFixed(3).slice(1)
}

function keepInView(scroller: HTMLElement, index: number, height: number): void {
  const rowTop = PADDING + index * ROW
  if (rowTop < scroller.scrollTop) scroller.scrollTop = rowTop - PADDING
  else if (rowTop + ROW > scroller.scrollTop + height) scroller.scrollTop = rowTop + ROW - height + PADDING
}

const inks: Record<EventTone, string> = {
  blue: 'text-(--tag-blue)',
  green: 'text-(--tag-green)',
  orange: 'text-(--tag-orange)',
  cyan: 'text-(--tag-cyan)',
  magenta: 'text-(--tag-magenta)',
  danger: 'text-danger',
  quiet: 'text-ink-3',
  plain: 'text-ink',
}
