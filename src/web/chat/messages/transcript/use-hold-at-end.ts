import { type RefObject, useEffect } from 'react'
import { messageStore } from '../chat/message-store.ts'
import type { Scroll } from './scroll.ts'

/** So long what the reader looks at is kept in place after a reply has ended. */
const SETTLE_MS = 300
/** What a reply consists of, without what is inside its steps. */
const BLOCKS = '.run-blocks:not(.run-blocks .run-blocks) > *'

/** Steps fold when their reply ends: what stands before a reader's eyes then stays where it is. */
export function useHoldAtEnd(
  scroll: Scroll,
  scroller: HTMLElement | null,
  turn: RefObject<HTMLElement | null>,
) {
  useEffect(() => {
    let release = () => {}
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = messageStore.subscribe((now, before) => {
      // Here nothing is folded yet. A reader who follows sees the end in any case.
      if (now.isStreaming || !before.isStreaming || !scroller || scroll.mode === 'following') return
      const top = scroller.getBoundingClientRect().top
      const blocks = [...(turn.current?.querySelectorAll<HTMLElement>(BLOCKS) ?? [])]
      const seen = blocks.find((block) => block.getBoundingClientRect().top >= top) ?? blocks.at(-1)
      if (!seen) return
      release()
      release = scroll.hold(() => (seen.isConnected ? seen : null))
      clearTimeout(timer)
      timer = setTimeout(release, SETTLE_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
      release()
    }
  }, [scroll, scroller, turn])
}
