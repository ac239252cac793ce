import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { messageStore, resetMessages } from '../chat/message-store.ts'
import { Scroll } from './scroll.ts'
import { useAnswerInView } from './use-answer-in-view.ts'

/** Simulates a resize in the turn. */
let resized = () => {}
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(look: () => void) {
        resized = look
      }
      observe() {}
      disconnect() {}
    },
  )
})
afterEach(() => {
  cleanup()
  resetMessages(null)
  document.body.replaceChildren()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** A turn on a screen of 600 px, whose reply text would begin at 900 px. */
function aTurn() {
  document.body.innerHTML = '<main><div><div class="run-blocks"></div></div></main>'
  const scroller = document.querySelector('main')!
  const turn = scroller.querySelector('div')!
  Object.defineProperty(scroller, 'clientHeight', { value: 600 })
  scroller.getBoundingClientRect = () => ({ top: 0 }) as DOMRect
  turn.getBoundingClientRect = () => ({ top: 0 }) as DOMRect
  const scroll = new Scroll(() => undefined)
  const glideTo = vi.spyOn(scroll, 'glideTo').mockImplementation(() => undefined)
  messageStore.setState({ sentKey: 'sent', isStreaming: true })
  renderHook(() => useAnswerInView(scroll, scroller, { current: turn }, () => false))
  const draw = () => {
    const text = document.createElement('div')
    text.className = 'md'
    text.getBoundingClientRect = () => ({ top: 900 }) as DOMRect
    turn.querySelector('.run-blocks')!.append(text)
    resized()
  }
  const end = () => act(() => messageStore.setState({ isStreaming: false }))
  return { scroll, glideTo, draw, end }
}

describe('text that begins low on the screen', () => {
  it('is scrolled up while it is written', () => {
    const { glideTo, draw } = aTurn()
    draw()
    expect(glideTo).toHaveBeenCalledOnce()
  })

  it('is scrolled up if its reply ended before it was rendered', () => {
    const { glideTo, draw, end } = aTurn()
    end()
    vi.advanceTimersByTime(500)
    draw()
    expect(glideTo).toHaveBeenCalledOnce()
  })

  it('stays in place if it appears otherwise, long after the end', () => {
    const { glideTo, draw, end } = aTurn()
    end()
    vi.advanceTimersByTime(1_500)
    draw()
    expect(glideTo).not.toHaveBeenCalled()
  })

  it('stays in place if the reader has scrolled since', () => {
    const { scroll, glideTo, draw } = aTurn()
    scroll.isLeft = true
    draw()
    expect(glideTo).not.toHaveBeenCalled()
  })
})
