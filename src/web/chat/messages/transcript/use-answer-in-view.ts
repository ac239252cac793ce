import { type RefObject, useEffect } from 'react'
import { messageStore, useMessages } from '../chat/message-store.ts'
import type { Scroll } from './scroll.ts'

/** A text that begins further down than this part of the screen is brought up. */
const LOWEST = 0.6
/** What a reply says, without what is inside its steps. */
const TEXTS = '.run-blocks:not(.run-blocks .run-blocks) > .md'

/** A reply that came whole, or faster than the page could draw it, is drawn so long after its end at most. */
const DRAWN_WITHIN_MS = 1_000

/**
 * What a reply says is where the reader looks: a text that begins low on the screen, after tools or a long question, glides
 * near the top and has a screen of room there. Whoever has moved since they sent something is left where they are.
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
    /** How far down in the turn the top of the screen is, or will be when what glides has arrived. */
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
