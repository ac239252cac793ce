import type { Language } from '#shared/platform/primitives.ts'

const KEY = 'i18nextLng'
const VISIT_KEY = 'visitLanguage'

/** The language before anybody is signed in: `lang` query, then what was chosen here before, then the browser. */
export function detectLanguage(search = location.search): Language {
  const asked = readQueryLanguage(search)
  if (asked) return asked
  const candidates = [visitLanguage(), localStorage.getItem(KEY), ...navigator.languages]
  return candidates.map(toLanguage).find((language) => language !== null) ?? 'en'
}

/** The `lang` of a query string, or null when there is none we speak. */
export function readQueryLanguage(search: string): Language | null {
  return toLanguage(new URLSearchParams(search).get('lang'))
}

/** The language a `lang` query asked for in this visit; it wins over the profile until the tab is closed. */
export function visitLanguage(): Language | null {
  return toLanguage(sessionStorage.getItem(VISIT_KEY))
}

/** Keeps the language of a `lang` query for this visit. */
export function keepVisitLanguage(language: Language): void {
  sessionStorage.setItem(VISIT_KEY, language)
}

/** Keeps a choice made in the interface; it ends what a `lang` query asked for. */
export function keepLanguage(language: Language): void {
  sessionStorage.removeItem(VISIT_KEY)
  localStorage.setItem(KEY, language)
}

function toLanguage(value: string | null | undefined): Language | null {
  const known = value?.toLowerCase().split(/[-_]/)[0]
  return languages.find((language) => language === known) ?? null
}

/** The languages the product speaks. */
export const languages: Language[] = ['en', 'fr']

/** The languages, each named in itself. */
export const languageNames: Record<Language, string> = { en: 'English', fr: 'Français' }
