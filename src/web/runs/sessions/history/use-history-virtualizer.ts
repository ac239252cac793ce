import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import { type HistoryRow, heightOf, OVERSCAN, ROW_HEIGHT, stickyHeaderAt, withKept } from './history-rows.ts'

/**
 * Virtualizes the rows. The header of the visible group is sticky, and the row at `pinned` stays rendered, because it has
 * the focus or an unfinished title.
 */
export function useHistoryVirtualizer(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly HistoryRow[],
  pinned: number,
) {
  const stuck = useRef<number | null>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(rows[index]),
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    rangeExtractor: useCallback(
      (range: Range) => {
        stuck.current = stickyHeaderAt(rows, range.startIndex)
        return withKept(defaultRangeExtractor(range), [stuck.current, pinned < rows.length ? pinned : null])
      },
      [rows, pinned],
    ),
    overscan: OVERSCAN,
    scrollPaddingStart: ROW_HEIGHT.header,
    // React 19 renders in time by itself, and rejects a forced flush inside an effect.
    useFlushSync: false,
  })
  // Sizes come from the rows; the virtualizer must be notified of changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes change with the rows.
  useLayoutEffect(() => virtualizer.measure(), [rows, virtualizer])
  return { virtualizer, stuck }
}
