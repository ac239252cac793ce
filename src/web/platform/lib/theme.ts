import { useSyncExternalStore } from 'react'
import { EMBED_PAGE } from '#shared/chat/embeds/addresses.ts'

const KEY = 'darkMode'
const listeners = new Set<() => void>()

/** Whether the dark theme is on: what was chosen, else what the system says. */
export function isDark(): boolean {
  return document.documentElement.dataset.theme === 'dark'
}

/** Chooses the theme and remembers it under `darkMode`. */
export function setDark(dark: boolean): void {
  localStorage.setItem(KEY, String(dark))
  applyTheme(dark)
}

/** The theme for components that show or need it. */
export function useDark(): boolean {
  return useSyncExternalStore(subscribe, isDark)
}

export type ThemeChoice = 'light' | 'dark' | 'system'

/** Chooses a theme, or to follow the system, and remembers it on this device. */
export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') {
    localStorage.removeItem(KEY)
    applyTheme(matchMedia('(prefers-color-scheme: dark)').matches)
  } else setDark(choice === 'dark')
}

/** What was chosen on this device, kept up to date. */
export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, themeChoice)
}

/** Follows the system and other tabs while nothing is chosen here. The first theme is set by the script in the page. */
export function followTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => applyTheme(storedTheme() ?? system.matches)
  system.addEventListener('change', apply)
  window.addEventListener('storage', (event) => {
    if (event.key === KEY) apply()
  })
  apply()
}

function themeChoice(): ThemeChoice {
  const stored = storedTheme()
  return stored === null ? 'system' : stored ? 'dark' : 'light'
}

function storedTheme(): boolean | null {
  // The site that shows an assistant says how it looks there.
  const asked = location.pathname === EMBED_PAGE && new URLSearchParams(location.search).get('theme')
  if (asked) return asked === 'dark'
  const stored = localStorage.getItem(KEY)
  return stored === 'true' || stored === 'false' ? stored === 'true' : null
}

function applyTheme(dark: boolean) {
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
