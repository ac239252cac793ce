import { beforeEach, describe, expect, it, vi } from 'vitest'
import page from '../../../../index.html?raw'
import { followTheme, isDark, setDark } from './theme.ts'

function systemIs(dark: boolean) {
  window.matchMedia = vi.fn(
    () => ({ matches: dark, addEventListener: () => {}, removeEventListener: () => {} }) as never,
  )
}

/** Runs the inline script of the page, which comes before all other code. */
function runPageScript() {
  const code = /<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? ''
  new Function(code)()
}

beforeEach(() => {
  localStorage.clear()
  systemIs(false)
  setDark(false)
  localStorage.clear()
})

describe('theme', () => {
  it('is remembered under darkMode as true or false [SH-03, G-08]', () => {
    setDark(true)
    expect([isDark(), localStorage.getItem('darkMode')]).toEqual([true, 'true'])
    setDark(false)
    expect([isDark(), localStorage.getItem('darkMode')]).toEqual([false, 'false'])
  })

  it('follows the system until a theme is chosen [G-08]', () => {
    systemIs(true)
    followTheme()
    expect(isDark()).toBe(true)
    localStorage.setItem('darkMode', 'false')
    followTheme()
    expect(isDark()).toBe(false)
  })

  it('is set before the first paint by the inline script of the page [G-08]', () => {
    localStorage.setItem('darkMode', 'true')
    runPageScript()
    expect(isDark()).toBe(true)
    localStorage.removeItem('darkMode')
    runPageScript()
    expect(isDark()).toBe(false)
  })
})
