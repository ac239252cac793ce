import type { BackendModule, ReadCallback } from 'i18next'
import { getTranslations } from '#shared/platform/translations.ts'
import { urlOf } from '../lib/api/call.ts'
import { takeEarly } from '../lib/early/early.ts'

type Texts = Record<string, unknown>

/** Loads the texts of a namespace from the server for i18next. */
export const backend: BackendModule = {
  type: 'backend',
  init() {},
  read(lng: string, ns: string, done: ReadCallback) {
    loadTexts(lng, ns).then(
      async (texts) => {
        const { early } = window
        await early?.named
        done(null, (early?.rename(texts, ns) ?? texts) as Parameters<ReadCallback>[1])
      },
      (error: Error) => done(error, null),
    )
  },
}

async function loadTexts(lng: string, ns: string): Promise<Texts> {
  try {
    const url = urlOf(getTranslations, { params: { lng, ns } })
    const response = (await takeEarly(url, null)) ?? (await fetch(url))
    if (response.ok) return (await response.json()) as Texts
  } catch {
    // Offline: the built-in texts are used.
  }
  return (await import('./bundled-texts.ts')).loadBundledTexts(lng, ns)
}
