import type { Language } from './primitives.ts'

/** Returns the locale in which dates, numbers and lists of a language are written. */
export function localeOf(language: Language): 'en-GB' | 'fr-FR' {
  return language === 'fr' ? 'fr-FR' : 'en-GB'
}
