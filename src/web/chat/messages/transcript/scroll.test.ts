import { beforeEach, describe, expect, it } from 'vitest'
import { nearPx, Scroll } from './scroll.ts'

let element: HTMLElement
let away: boolean[]
let scroll: Scroll

/** A scroller of 1,000 px that shows 200. There is no layout here, so the sizes are fixed. */
beforeEach(() => {
  element = document.createElement('div')
  document.body.replaceChildren(element)
  size(1000)
  Object.defineProperty(element, 'clientHeight', { value: 200 })
  element.scrollTo = (({ top }: ScrollToOptions) => move(top ?? 0)) as typeof element.scrollTo
  away = []
  scroll = new Scroll((isAway) => away.push(isAway))
  scroll.attach(element)
})

function size(scrollHeight: number) {
  Object.defineProperty(element, 'scrollHeight', { configurable: true, value: scrollHeight })
}

function move(top: number) {
  element.scrollTop = Math.min(top, element.scrollHeight - 200)
  element.dispatchEvent(new Event('scroll'))
}

function wheel(deltaY: number) {
  element.dispatchEvent(new WheelEvent('wheel', { deltaY }))
}

function grow(by: number) {
  size(element.scrollHeight + by)
  scroll.changed()
}

describe('scroll position of the transcript', () => {
  it('follows the end once requested', () => {
    scroll.toEnd()
    grow(300)
    expect(element.scrollTop).toBe(1300)
    expect(scroll.mode).toBe('following')
  })

  it('stays in place while someone reads', () => {
    move(100)
    grow(300)
    expect(element.scrollTop).toBe(100)
    expect(away).toEqual([true])
  })

  it.each([
    ['wheel', () => wheel(-10)],
    ['PageUp', () => element.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageUp' }))],
    ['Home', () => element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home' }))],
  ])('stops following when the reader goes up by %s', (_, act) => {
    scroll.toEnd()
    act()
    grow(300)
    expect(scroll.mode).toBe('reading')
    expect(element.scrollTop).toBe(800)
  })

  it('stops following when text is selected', () => {
    scroll.toEnd()
    element.textContent = 'some words'
    document.getSelection()?.selectAllChildren(element)
    document.dispatchEvent(new Event('selectionchange'))
    expect(scroll.mode).toBe('reading')
  })

  it('follows again when the reader scrolls within 40 px of the end', () => {
    move(100)
    wheel(50)
    move(800 - nearPx)
    expect(scroll.mode).toBe('following')
  })

  it("never mistakes a correction of the list for a reader's movement", () => {
    move(800)
    expect(scroll.mode).toBe('reading')
    scroll.toEnd()
    move(300)
    expect(scroll.mode).toBe('following')
  })

  it('moves a sent message to the top and then stays in place', () => {
    const turn = element.appendChild(document.createElement('div'))
    turn.getBoundingClientRect = () => ({ top: 640 }) as DOMRect
    scroll.glideTo(turn, false)
    expect(element.scrollTop).toBe(640)
    grow(500)
    expect(element.scrollTop).toBe(640)
  })

  it('reports when the end leaves the view, and when it returns', () => {
    move(100)
    scroll.toEnd()
    expect(away).toEqual([true, false])
  })

  it('ignores the space below a short answer', () => {
    const row = element.appendChild(document.createElement('div'))
    row.getBoundingClientRect = () => ({ bottom: 500 - element.scrollTop }) as DOMRect
    element.getBoundingClientRect = () => ({ bottom: 200 }) as DOMRect
    scroll.attach(element, () => row)
    move(310)
    expect(away).toEqual([])
    move(200)
    expect(away).toEqual([true])
  })
})
