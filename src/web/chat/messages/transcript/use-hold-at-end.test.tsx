import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { messageStore, resetMessages } from '../chat/message-store.ts'
import { Scroll } from './scroll.ts'
import { useHoldAtEnd } from './use-hold-at-end.ts'

afterEach(() => {
  cleanup()
  resetMessages(null)
  document.body.replaceChildren()
})

/** A reply whose answer is at 500 px below a step of 300 px, until the step collapses. */
function aReply() {
  document.body.innerHTML = '<main><div><div class="run-blocks"><section></section><p></p></div></div></main>'
  const scroller = document.querySelector('main')!
  let folded = 0
  const place = (name: string, top: () => number) => {
    document.querySelector(name)!.getBoundingClientRect = () =>
      ({ top: top() - scroller.scrollTop }) as DOMRect
  }
  scroller.getBoundingClientRect = () => ({ top: 0 }) as DOMRect
  place('section', () => 200)
  place('p', () => 900 - folded)
  scroller.scrollTop = 400
  return { scroller, fold: () => (folded = 300) }
}

describe('end of a reply', () => {
  it.each([
    ['a reader keeps their place', 'reading', 100],
    ['one who follows is left to the end', 'following', 400],
  ] as const)('keeps its place when steps collapse, %s', async (_, mode, expected) => {
    const { scroller, fold } = aReply()
    const scroll = new Scroll(() => undefined)
    scroll.attach(scroller)
    scroll.mode = mode
    renderHook(() => useHoldAtEnd(scroll, scroller, { current: scroller }))
    messageStore.setState({ isStreaming: true })
    messageStore.setState({ isStreaming: false })
    fold()
    if (mode === 'following') await new Promise((resolve) => setTimeout(resolve, 100))
    await vi.waitFor(() => expect(scroller.scrollTop).toBe(expected), { timeout: 15_000 })
    scroll.attach(null)
  })
})
