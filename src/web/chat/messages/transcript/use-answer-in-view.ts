import { type RefObject, useEffect } from 'react'
import { messageStore, useMessages } from '../chat/message-store.ts'
import type { Scroll } from './scroll.ts'

/** Fraction of the screen below which a text is scrolled up. */
const LOWEST = 0.6
/** The texts of a reply outside its steps, and the steps that run. */
const TEXTS = '.run-blocks:not(.run-blocks .run-blocks) > :is(.md, [data-running])'

/** Maximum time from the end of a reply to its rendering, for replies that arrive whole or too fast. */
const DRAWN_WITHIN_MS = 1_000

/**
 * A reply's text or step that begins low on the screen, after tools or a long question, scrolls near the top, where it has a screen
 * of space. A reader who has scrolled since sending is left in place.
 */
export function useAnswerInView(
  scroll: Scroll,
  scroller: HTMLElement | null,
  turn: RefObject<HTMLElement | null>,
  smooth: () => boolean,
) {
  const sentKey = useMessages((state) => state.sentKey)
  useEffect(() => {
    const within = turn.current
    if (!sentKey || !within || !scroller || typeof ResizeObserver === 'undefined') return
    const seen = new WeakSet<Element>()
    /** The scroll position in the turn, including animations in progress. */
    let at = 0
    let endedAt = Number.NEGATIVE_INFINITY
    const isNew = () => messageStore.getState().isStreaming || performance.now() - endedAt < DRAWN_WITHIN_MS
    within.style.removeProperty('--answer-at')
    const look = () => {
      const text = [...within.querySelectorAll<HTMLElement>(TEXTS)].at(-1)
      if (!text || seen.has(text)) return
      seen.add(text)
      if (!isNew() || scroll.isLeft || scroll.mode === 'following') return
      const begins = text.getBoundingClientRect().top - within.getBoundingClientRect().top
      if (begins - at < scroller.clientHeight * LOWEST) return
      at = begins
      within.style.setProperty('--answer-at', `${begins}px`)
      scroll.glideTo(text, smooth())
    }
    const observer = new ResizeObserver(look)
    observer.observe(within)
    const stop = messageStore.subscribe((now, before) => {
      if (before.isStreaming && !now.isStreaming) endedAt = performance.now()
    })
    return () => {
      observer.disconnect()
      stop()
    }
  }, [sentKey, scroll, scroller, turn, smooth])
}
