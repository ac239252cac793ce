import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Point } from '../page/use-zoom-gestures.ts'
import { clamp } from '../page/zoom.ts'
import { GAP, type Layout, pageAt, pagesBetween } from './page-layout.ts'

/** Line that determines the current page, as a fraction of the view's height. */
const READING_LINE = 1 / 3

/** A position on a page (0 top, 1 bottom) and its distance from the top of the view. */
type Anchor = { page: number; share: number; below: number }
type View = { from: number; to: number; current: number }

/**
 * Tracks the visible pages. Keeps the visible content in place when pages above change their size, and when all
 * pages change theirs.
 */
export function usePageScroll(room: RefObject<HTMLElement | null>, layout: Layout) {
  const [view, setView] = useState<View>({ from: 1, to: 1, current: 1 })
  const anchor = useRef<Anchor>({ page: 1, share: 0, below: GAP })
  /** A page that was navigated to stays current until the next scroll, even when it cannot reach the top. */
  const asked = useRef<{ page: number; top: number } | null>(null)
  const laidOut = useRef(layout)

  const look = useCallback(() => {
    const element = room.current
    if (!element) return
    const { scrollTop: top, clientHeight } = element
    const { current: now } = laidOut
    if (asked.current && Math.abs(asked.current.top - top) > 2) asked.current = null
    const current = asked.current?.page ?? pageAt(now, top + clientHeight * READING_LINE)
    const next = { ...pagesBetween(now, top, top + clientHeight), current }
    setView((view) =>
      view.from === next.from && view.to === next.to && view.current === next.current ? view : next,
    )
  }, [room])

  const hold = useCallback(
    (below: number) => {
      const offset = (room.current?.scrollTop ?? 0) + below
      const page = pageAt(laidOut.current, offset)
      anchor.current = { page, share: shareOf(laidOut.current, page, offset), below }
    },
    [room],
  )

  const settle = useCallback(() => {
    const { page, share, below } = anchor.current
    const { tops, heights } = laidOut.current
    if (!room.current) return
    room.current.scrollTop = (tops[page - 1] ?? 0) + share * (heights[page - 1] ?? 0) - below
    if (asked.current) asked.current.top = room.current.scrollTop
    look()
  }, [room, look])

  useLayoutEffect(() => {
    const element = room.current
    // Horizontally the centre stays in place, unless the zoom has a fixed point.
    const ratio = layout.width / laidOut.current.width
    if (element && ratio !== 1) {
      const middle = element.clientWidth / 2
      element.scrollLeft = (element.scrollLeft + middle) * ratio - middle
    }
    laidOut.current = layout
    settle()
  }, [layout, room, settle])

  useEffect(() => {
    const element = room.current
    if (!element) return
    const onScroll = () => {
      look()
      if (!asked.current) hold(0)
    }
    const resized = new ResizeObserver(look)
    resized.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [room, look, hold])

  /** Scrolls a position on a page (default: its top) to a distance below the top of the view, in pixels. */
  const goTo = useCallback(
    (wanted: number, share = 0, below = GAP) => {
      const page = clamp(wanted, 1, laidOut.current.tops.length)
      anchor.current = { page, share, below }
      asked.current = { page, top: 0 }
      settle()
    },
    [settle],
  )

  /** Keeps this point in place during the next zoom; default: the centre of the view. */
  const holdPoint = useCallback(
    (point?: Point) => {
      const box = room.current?.getBoundingClientRect()
      if (!box) return
      asked.current = null
      hold(point ? point.y - box.top : box.height / 2)
    },
    [room, hold],
  )

  return { ...view, goTo, holdPoint }
}

function shareOf({ tops, heights }: Layout, page: number, offset: number): number {
  return (offset - (tops[page - 1] ?? 0)) / (heights[page - 1] || 1)
}
