import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Point } from '../page/use-zoom-gestures.ts'
import { clamp } from '../page/zoom.ts'
import { GAP, type Layout, pageAt, pagesBetween } from './page-layout.ts'

/** Part of the room, from its top, where the page that counts as the current one stands. */
const READING_LINE = 1 / 3

/** A place of a page (0 its top, 1 its bottom) and how far below the top of the room it is held. */
type Anchor = { page: number; share: number; below: number }
type View = { from: number; to: number; current: number }

/**
 * Which pages are in the room. What one looks at stays where it is when pages above turn out to have another size,
 * and when all change theirs.
 */
export function usePageScroll(room: RefObject<HTMLElement | null>, layout: Layout) {
  const [view, setView] = useState<View>({ from: 1, to: 1, current: 1 })
  const anchor = useRef<Anchor>({ page: 1, share: 0, below: GAP })
  /** A page that was gone to is the current one until one scrolls on, also where it cannot come to the top. */
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
    // Sideways the middle stays, unless one zooms at a point.
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

  /** Brings a place of a page (its top without one) to so many pixels below the top of the room. */
  const goTo = useCallback(
    (wanted: number, share = 0, below = GAP) => {
      const page = clamp(wanted, 1, laidOut.current.tops.length)
      anchor.current = { page, share, below }
      asked.current = { page, top: 0 }
      settle()
    },
    [settle],
  )

  /** The next change of the zoom leaves this point where it is; without one the middle of the room. */
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
