import { useSyncExternalStore } from 'react'
import { EMBED_PAGE } from '#shared/chat/embeds/addresses.ts'

const KEY = 'darkMode'
const listeners = new Set<() => void>()

/** Returns whether the dark theme is on: as chosen, otherwise as the system says. */
export function isDark(): boolean {
  return document.documentElement.dataset.theme === 'dark'
}

/** Chooses the theme and stores it under `darkMode`. */
export function setDark(dark: boolean): void {
  localStorage.setItem(KEY, String(dark))
  applyTheme(dark)
}

/** Returns reactively whether the dark theme is on. */
export function useDark(): boolean {
  return useSyncExternalStore(subscribe, isDark)
}

export type ThemeChoice = 'light' | 'dark' | 'system'

/** Chooses a theme, or to follow the system, and stores it on this device. */
export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') {
    localStorage.removeItem(KEY)
    applyTheme(matchMedia('(prefers-color-scheme: dark)').matches)
  } else setDark(choice === 'dark')
}

/** Returns the choice on this device reactively. */
export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, themeChoice)
}

/** Follows the system and other tabs until a theme is chosen here. The inline script sets the first theme. */
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
  // The embedding site decides the theme of an assistant.
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
