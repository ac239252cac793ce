import type { Language } from '#shared/platform/primitives.ts'
import english from '../../../../locales/en/notifications.json' with { type: 'json' }
import french from '../../../../locales/fr/notifications.json' with { type: 'json' }

/** Returns the texts of notifications in a language. */
export function notificationTexts(language: Language): typeof english {
  return language === 'fr' ? french : english
}
