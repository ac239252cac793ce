import { renameProduct } from '#shared/identity/branding/product-name.ts'
import type { Language } from '#shared/platform/primitives.ts'
import english from '../../../../locales/en/notifications.json' with { type: 'json' }
import french from '../../../../locales/fr/notifications.json' with { type: 'json' }

/** Returns the texts of notifications in a language, with the product's name or that of a company. */
export function notificationTexts(language: Language, name: string | null = null): typeof english {
  return renameProduct(language === 'fr' ? french : english, name)
}
