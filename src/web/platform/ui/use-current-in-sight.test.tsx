// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { Tabs } from './tabs.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** Lays out tabs of 100 px in a row of 250 px, like a phone. */
function drawNarrow() {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    if (this.getAttribute('role') === 'tablist') return new DOMRect(0, 0, 250, 40)
    const at = [...(this.parentElement?.children ?? [])].indexOf(this)
    return new DOMRect(at * 100 - (this.parentElement?.scrollLeft ?? 0), 0, 100, 40)
  })
}
const drawn = (value: string) => (
  <Tabs
    name="Pages"
    value={value}
    onValueChange={() => undefined}
    tabs={['a', 'b', 'c', 'd', 'e'].map((one) => ({ value: one, label: one }))}
  />
)

it('scrolls the current tab into view, and does not scroll for a visible one', () => {
  drawNarrow()
  const view = render(drawn('d'))
  // The fourth tab spans 300 to 400, so its centre is scrolled to the centre of the row.
  expect(screen.getByRole('tablist').scrollLeft).toBe(225)
  view.rerender(drawn('c'))
  view.rerender(drawn('d'))
  expect(screen.getByRole('tablist').scrollLeft).toBe(225)
  view.rerender(drawn('a'))
  expect(screen.getByRole('tablist').scrollLeft).toBeLessThan(10)
})
