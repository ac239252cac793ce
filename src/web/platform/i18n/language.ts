import type { Language } from '#shared/platform/primitives.ts'

const KEY = 'i18nextLng'
const VISIT_KEY = 'visitLanguage'

/** Returns the language before sign-in: the `lang` query, then an earlier choice made here, then the browser's. */
export function detectLanguage(search = location.search): Language {
  const asked = readQueryLanguage(search)
  if (asked) return asked
  const candidates = [visitLanguage(), localStorage.getItem(KEY), ...navigator.languages]
  return candidates.map(toLanguage).find((language) => language !== null) ?? 'en'
}

/** Returns the `lang` of a query string; null if it is missing or not supported. */
export function readQueryLanguage(search: string): Language | null {
  return toLanguage(new URLSearchParams(search).get('lang'))
}

/** Returns the language requested by a `lang` query in this visit. It overrides the profile until the tab is closed. */
export function visitLanguage(): Language | null {
  return toLanguage(sessionStorage.getItem(VISIT_KEY))
}

/** Stores the language of a `lang` query for this visit. */
export function keepVisitLanguage(language: Language): void {
  sessionStorage.setItem(VISIT_KEY, language)
}

/** Stores a choice made in the interface; it ends the override of a `lang` query. */
export function keepLanguage(language: Language): void {
  sessionStorage.removeItem(VISIT_KEY)
  localStorage.setItem(KEY, language)
}

function toLanguage(value: string | null | undefined): Language | null {
  const known = value?.toLowerCase().split(/[-_]/)[0]
  return languages.find((language) => language === known) ?? null
}

/** Supported languages. */
export const languages: Language[] = ['en', 'fr']

/** Names of the languages, each in itself. */
export const languageNames: Record<Language, string> = { en: 'English', fr: 'Français' }
