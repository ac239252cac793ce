import { type RefObject, useEffect } from 'react'
import { messageStore } from '../chat/message-store.ts'
import type { Scroll } from './scroll.ts'

/** Time for which the visible content stays in place after a reply has ended. */
const SETTLE_MS = 300
/** The blocks of a reply outside its steps. */
const BLOCKS = '.run-blocks:not(.run-blocks .run-blocks) > *'

/** Steps collapse when their reply ends; the visible content then stays in place. */
export function useHoldAtEnd(
  scroll: Scroll,
  scroller: HTMLElement | null,
  turn: RefObject<HTMLElement | null>,
) {
  useEffect(() => {
    let release = () => {}
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = messageStore.subscribe((now, before) => {
      // Nothing has collapsed yet. A reader who follows sees the end anyway.
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
