import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useIdle } from '../../../platform/lib/page-state.ts'
import { Skeleton } from '../../../platform/ui/states/skeleton.tsx'
import { messageStore, useMessages } from '../chat/message-store.ts'
import { guessHeight, keepHeight } from './heights.ts'
import { MessageRow } from './message-row.tsx'

/** Rows rendered beyond the screen on each side, after the visible ones. */
const overscan = 4
/** Distance to the oldest message, in rows, at which the previous page is loaded. */
const loadWithin = 8
const skeletonPx = 132
/** The row that represents a gap. */
const gapRow = 'gap'

type EarlierMessagesProps = {
  ids: readonly string[]
  /** The gap after the message at `at`. */
  gap: { at: number; count: number } | null
  total: number
  hasOlder: boolean
  scroller: HTMLElement | null
  onNearStart: () => void
  onNearGap: (from: 'above' | 'below') => void
}

/** Every message before the last turn; only those near the screen are rendered. */
export const EarlierMessages = memo(function EarlierMessages(props: EarlierMessagesProps) {
  const { gap, total, hasOlder, scroller, onNearStart, onNearGap } = props
  const ids = useMemo(() => withGap(props.ids, gap), [props.ids, gap])
  const { pin, extract } = usePinned(ids)
  const [guesses] = useState(() => new Map<string, number>())
  const isIdle = useIdle()
  const keyAt = useCallback((at: number) => keyOf(ids[at]), [ids])
  const virtual = useVirtualizer({
    count: ids.length,
    getScrollElement: () => scroller,
    estimateSize: (at) => (ids[at] === gapRow ? skeletonPx : guessOnce(guesses, ids[at] ?? '')),
    getItemKey: keyAt,
    overscan: isIdle ? overscan : 0,
    // A chat opens at its end, without rendering rows at the beginning first.
    initialOffset: Number.MAX_SAFE_INTEGER,
    initialRect: { width: 0, height: window.innerHeight },
    // Part of the list, so that its removal is corrected together with what replaces it.
    paddingStart: hasOlder ? skeletonPx : 0,
    // Prepended messages keep the visible ones in place.
    anchorTo: 'end',
    rangeExtractor: extract,
    measureElement: (element) => {
      const { offsetHeight, offsetWidth, dataset } = element as HTMLElement
      keepHeight(keyOf(ids[Number(dataset.index)]), offsetHeight, offsetWidth)
      return offsetHeight
    },
  })
  const target = useMessages((state) => state.target)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is gone to once, whatever comes later.
  useLayoutEffect(() => {
    const at = target ? ids.indexOf(target.id) : -1
    if (at >= 0) virtual.scrollToIndex(at, { align: 'start' })
  }, [target])
  const rows = virtual.getVirtualItems()
  const first = rows[0]?.index ?? 0
  const last = rows.at(-1)?.index ?? 0
  const gapAt = gap ? gap.at + 1 : Number.POSITIVE_INFINITY
  const isNearGap = gapAt >= first - loadWithin && gapAt <= last + loadWithin
  useEffect(() => {
    if (isNearGap) onNearGap(gapAt > (first + last) / 2 ? 'above' : 'below')
  }, [isNearGap, gapAt, first, last, onNearGap])
  const missing = gap?.count ?? 0
  const before = total - messageStore.getState().order.length - missing
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page may be one large message, and then it is not enough.
  useEffect(() => {
    if (!hasOlder || first > loadWithin) return
    // Prepended rows shift the others before the next frame.
    const frame = requestAnimationFrame(onNearStart)
    return () => cancelAnimationFrame(frame)
  }, [first, before, hasOlder, onNearStart])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notes which row has the focus.
    <div
      className="relative print:hidden"
      style={{ height: virtual.getTotalSize() }}
      onFocus={pin}
      onBlur={pin}
    >
      {hasOlder && (
        <div className="absolute inset-x-0 top-0">
          <OlderSkeleton />
        </div>
      )}
      {rows.map((row) => (
        <div
          key={row.key}
          ref={virtual.measureElement}
          data-index={row.index}
          className="absolute inset-x-0 top-0"
          style={{ transform: `translateY(${row.start}px)` }}
        >
          {row.index === gapAt ? (
            <OlderSkeleton />
          ) : (
            <MessageRow
              id={ids[row.index]!}
              position={before + row.index + (row.index > gapAt ? missing : 1)}
              total={total}
              isLast={false}
            />
          )}
        </div>
      ))}
    </div>
  )
})

function withGap(ids: readonly string[], gap: EarlierMessagesProps['gap']): readonly string[] {
  return gap ? [...ids.slice(0, gap.at + 1), gapRow, ...ids.slice(gap.at + 1)] : ids
}

/** A placeholder of messages that are loading. Its height is `skeletonPx`. */
function OlderSkeleton() {
  const { t } = useTranslation('streaming_blocks')
  return (
    <div role="status" aria-label={t('loading_older')} className="h-33 space-y-3 py-6">
      <Skeleton className="ml-auto h-9 w-1/2 rounded-bubble" />
      <Skeleton className="h-3 w-11/12" />
      <Skeleton className="h-3 w-3/4" />
    </div>
  )
}

/**
 * Returns a fixed estimate of a row. The list corrects the position by the difference between estimate and measurement,
 * which a changing estimate would hide.
 */
function guessOnce(guesses: Map<string, number>, id: string): number {
  const key = keyOf(id)
  const known = guesses.get(key)
  if (known !== undefined) return known
  const guess = guessHeight(messageStore.getState().messagesById[id])
  guesses.set(key, guess)
  return guess
}

function keyOf(id: string | undefined): string {
  return messageStore.getState().messagesById[id ?? '']?.key ?? id ?? ''
}

/** The row with the focus or with selected text stays rendered, however far it is scrolled away. */
function usePinned(ids: readonly string[]) {
  const pinned = useRef<string | null>(null)
  const pin = useCallback(
    ({ target, type }: { target: EventTarget; type: string }) => {
      const row = type === 'focus' ? (target as HTMLElement).closest<HTMLElement>('[data-index]') : null
      pinned.current = row ? (ids[Number(row.dataset.index)] ?? null) : null
    },
    [ids],
  )
  const extract = useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range)
      const extra = [pinned.current ? ids.indexOf(pinned.current) : -1, selectedRow()]
      const missing = extra.filter((at) => at >= 0 && at < range.count && !shown.includes(at))
      return missing.length > 0 ? [...new Set([...shown, ...missing])].sort((a, b) => a - b) : shown
    },
    [ids],
  )
  return { pin, extract }
}

function selectedRow(): number {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed) return -1
  const node = selection.anchorNode
  const element = node instanceof HTMLElement ? node : node?.parentElement
  const row = element?.closest<HTMLElement>('.transcript [data-index]')
  return row ? Number(row.dataset.index) : -1
}
