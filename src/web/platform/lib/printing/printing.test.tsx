import { act, render } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { usePrinting } from './printing.ts'

afterEach(() => vi.unstubAllGlobals())

function Sheet() {
  return <p>{usePrinting() ? 'paper' : 'screen'}</p>
}

it('stays rendered for paper from beforeprint to afterprint, when the medium changes in between', () => {
  const media = Object.assign(new EventTarget(), { matches: false })
  vi.stubGlobal('matchMedia', () => media)
  const change = (matches: boolean) =>
    act(() => {
      media.matches = matches
      media.dispatchEvent(new Event('change'))
    })
  const say = (name: string) => act(() => void window.dispatchEvent(new Event(name)))
  const { unmount } = render(<Sheet />)
  say('beforeprint')
  expect(document.body.textContent).toBe('paper')
  change(true)
  change(false)
  expect(document.body.textContent).toBe('paper')
  say('afterprint')
  expect(document.body.textContent).toBe('screen')
  change(true)
  expect(document.body.textContent).toBe('paper')
  change(false)
  expect(document.body.textContent).toBe('screen')
  unmount()
})
