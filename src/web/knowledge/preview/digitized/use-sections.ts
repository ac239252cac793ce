import { type RefObject, useCallback, useEffect, useState } from 'react'
import type { Heading } from './pieces.ts'

/** Distance of a selected section from the upper edge, in pixels. */
export const OFFSET = 80

/** Returns the visible section, and a function that scrolls to another one; `want` renders a piece. */
export function useSections(
  scroller: RefObject<HTMLElement | null>,
  headings: readonly Heading[],
  want: (piece: number) => void,
) {
  const [current, setCurrent] = useState(-1)
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    let frame = 0
    const look = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => setCurrent(sectionAt(box, headings)))
    }
    look()
    box.addEventListener('scroll', look, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      box.removeEventListener('scroll', look)
    }
  }, [scroller, headings])
  const show = useCallback(
    (at: number) => {
      want(headings[at]!.piece)
      // The piece is rendered first.
      requestAnimationFrame(
        () =>
          scroller.current &&
          scrollToElement(scroller.current, () => headingOf(scroller.current!, headings[at]!)),
      )
    },
    [scroller, headings, want],
  )
  return { current, show }
}

/** Scrolls an element to the upper edge, and corrects the position if content rendered on the way has moved it. */
export function scrollToElement(box: HTMLElement, find: () => Element | null, isSmooth = true): void {
  const isCalm = !isSmooth || matchMedia('(prefers-reduced-motion: reduce)').matches
  const go = (behavior: ScrollBehavior) => {
    const element = find()
    if (!element) return
    const top = box.scrollTop + element.getBoundingClientRect().top - box.getBoundingClientRect().top - OFFSET
    if (Math.abs(top - box.scrollTop) > 1) box.scrollTo({ top, behavior })
  }
  go(isCalm ? 'instant' : 'smooth')
  if (!isCalm) box.addEventListener('scrollend', () => go('instant'), { once: true })
}

/** Events of scrolling by a reader. */
const moves = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/** Scrolls an element into view and keeps it there while content above it changes height, until the reader scrolls. */
export function holdInSight(box: HTMLElement, find: () => Element | null): () => void {
  const go = () => scrollToElement(box, find, false)
  const drawn = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(go)
  const leave = () => {
    drawn?.disconnect()
    for (const move of moves) window.removeEventListener(move, leave)
  }
  go()
  for (const child of box.children) drawn?.observe(child)
  for (const move of moves) window.addEventListener(move, leave, { passive: true })
  return leave
}

/** Returns the last heading above the line where sections begin. Headings are in document order, so few are checked. */
function sectionAt(box: HTMLElement, headings: readonly Heading[]): number {
  const line = box.getBoundingClientRect().top + OFFSET + 8
  let [from, to] = [0, headings.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const top = headingOf(box, headings[middle]!)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY
    if (top <= line) from = middle + 1
    else to = middle
  }
  return from - 1
}

/** Returns the rendered heading, otherwise its piece. */
function headingOf(box: HTMLElement, { piece, nth }: Heading): Element | null {
  const drawn = box.querySelector(`[data-piece="${piece}"]`)
  const own = drawn?.querySelectorAll(
    ':is(.digitized-piece, .digitized-passage) > .md > [data-level], .digitized-passage > [data-level]',
  )
  return own?.[nth] ?? drawn
}
