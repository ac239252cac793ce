import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Language } from '#shared/platform/primitives.ts'
import type { Namespace } from '#shared/platform/translations.ts'
import { backend } from './backend.ts'
import { isolate } from './isolate.ts'
import {
  detectLanguage,
  keepLanguage,
  keepVisitLanguage,
  readQueryLanguage,
  visitLanguage,
} from './language.ts'

export type { TFunction } from 'i18next'
export { useTranslation } from 'react-i18next'

/** Starts the translations; resolves when those of the first view are loaded. */
export async function startTexts(): Promise<void> {
  const asked = readQueryLanguage(location.search)
  if (asked) keepVisitLanguage(asked)
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: detectLanguage(),
      fallbackLng: 'en',
      supportedLngs: ['en', 'fr'],
      load: 'languageOnly',
      ns: ['common'],
      defaultNS: 'common',
      partialBundledLanguages: true,
      // React escapes markup; this prevents names from reversing the direction of their sentence.
      interpolation: { escapeValue: true, escape: isolate },
      react: { useSuspense: true },
      // English is only fetched as a fallback for a missing text.
      preload: [],
    })
  markPage(currentLanguage())
  i18next.on('languageChanged', () => markPage(currentLanguage()))
}

/** Loads the texts of namespaces in the current language, unless they are loaded. */
export async function loadTexts(...namespaces: Namespace[]): Promise<void> {
  await i18next.loadNamespaces(namespaces)
}

/** Returns the current language of the interface. */
export function currentLanguage(): Language {
  return i18next.language === 'fr' ? 'fr' : 'en'
}

/** Changes the language to the person's choice, which is remembered for the next visit. */
export async function chooseLanguage(language: Language): Promise<void> {
  keepLanguage(language)
  await i18next.changeLanguage(language)
}

/** Follows a `lang` query of an opened address, which takes precedence for this visit. */
export async function followQueryLanguage(search: string): Promise<void> {
  const asked = readQueryLanguage(search)
  if (!asked) return
  keepVisitLanguage(asked)
  if (asked !== currentLanguage()) await i18next.changeLanguage(asked)
}

/** Follows the profile of the signed-in person, unless a `lang` query takes precedence. */
export async function followProfileLanguage(language: Language): Promise<void> {
  if (visitLanguage() || language === currentLanguage()) return
  localStorage.setItem('i18nextLng', language)
  await i18next.changeLanguage(language)
}

/** Returns a text outside React: `translate('common:loading')`. */
export function translate(key: string, values: Record<string, unknown> = {}): string {
  return i18next.t(key, values)
}

function markPage(language: Language) {
  document.documentElement.lang = language
  document.querySelector('meta[name="description"]')?.setAttribute('content', translate('common:about'))
  const manifest = language === 'en' ? '/manifest.webmanifest' : `/manifest.${language}.webmanifest`
  document.querySelector('link[rel="manifest"]')?.setAttribute('href', manifest)
}
