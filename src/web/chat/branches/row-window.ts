import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Rows rendered beyond the screen on each side. */
const overscan = 6
/** Rows rendered before the list has a size. */
const firstRows = 24

type RowWindow = {
  scroller: RefObject<HTMLDivElement | null>
  /** Rows to render, `to` excluded. */
  from: number
  to: number
  /** Scrolls a row into view with minimal movement. */
  reveal: (row: number) => void
  /** Returns the position of a row on screen. */
  rectOf: (row: number) => DOMRect
}

/** Virtualizes a long list of equal rows. It opens with `start` in the middle. */
export function useRowWindow(count: number, rowPx: number, start: number): RowWindow {
  const scroller = useRef<HTMLDivElement>(null)
  const [range, setRange] = useState({ from: 0, to: firstRows })
  const opening = useRef(start)
  const look = useCallback(() => {
    const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {}
    const from = Math.max(0, Math.floor(scrollTop / rowPx) - overscan)
    const to = from + Math.ceil(clientHeight / rowPx) + 2 * overscan
    setRange((now) => (now.from === from && now.to === to ? now : { from, to: Math.max(to, firstRows) }))
  }, [rowPx])
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    element.scrollTop = opening.current * rowPx - element.clientHeight / 2
    look()
    element.addEventListener('scroll', look, { passive: true })
    const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(look)
    observer?.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      observer?.disconnect()
    }
  }, [look, rowPx])
  const reveal = (row: number) => {
    const element = scroller.current
    if (!element) return
    const [top, bottom] = [row * rowPx, (row + 1) * rowPx + 16]
    if (top < element.scrollTop) element.scrollTop = top
    else if (bottom > element.scrollTop + element.clientHeight)
      element.scrollTop = bottom - element.clientHeight
    look()
  }
  const rectOf = (row: number) => {
    const { top = 0, left = 0, width = 0 } = scroller.current?.getBoundingClientRect() ?? {}
    return new DOMRect(left, top + row * rowPx - (scroller.current?.scrollTop ?? 0), width, rowPx)
  }
  return { scroller, from: range.from, to: Math.min(count, range.to), reveal, rectOf }
}
