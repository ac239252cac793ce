import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aView } from '#tests/web/event-builder.ts'
import { FLUSH_MS, liveViews, useLiveView } from './live-views.ts'

let draws: Record<string, number>

function Reply({ name }: { name: string }) {
  draws[name] = (draws[name] ?? 0) + 1
  return <p>{useLiveView(name)?.content ?? 'nothing'}</p>
}

beforeEach(() => {
  vi.useFakeTimers()
  draws = {}
})
afterEach(() => {
  cleanup()
  liveViews.close('a')
  liveViews.close('b')
  vi.useRealTimers()
})

const set = (key: string, content: string) => liveViews.set(key, aView({ content }))
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms))

describe('live messages', () => {
  it('are rendered at most every 50 ms, however many tokens arrive [ST-10]', () => {
    render(<Reply name="a" />)
    for (let token = 0; token < 100; token += 1) set('a', `${token}`)
    expect(screen.getByText('nothing')).toBeTruthy()
    wait(FLUSH_MS)
    expect(screen.getByText('99')).toBeTruthy()
    expect(draws.a).toBe(2)
  })

  it('rerender only the component that shows them', () => {
    render(
      <>
        <Reply name="a" />
        <Reply name="b" />
      </>,
    )
    set('a', 'text')
    wait(FLUSH_MS)
    expect(draws).toEqual({ a: 2, b: 1 })
  })

  it('need no animation frame, so they continue in a hidden tab', () => {
    const frame = vi.spyOn(globalThis, 'requestAnimationFrame')
    render(<Reply name="a" />)
    set('a', 'text')
    wait(FLUSH_MS)
    expect(screen.getByText('text')).toBeTruthy()
    expect(frame).not.toHaveBeenCalled()
  })

  it('show what has arrived when flushed', () => {
    render(<Reply name="a" />)
    set('a', 'text')
    act(() => liveViews.flush())
    expect(screen.getByText('text')).toBeTruthy()
  })
})
