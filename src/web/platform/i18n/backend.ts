import type { BackendModule, ReadCallback } from 'i18next'
import { getTranslations } from '#shared/platform/translations.ts'
import { urlOf } from '../lib/api/call.ts'
import { takeEarly } from '../lib/early/early.ts'

type Texts = Record<string, unknown>

/** The same texts built into the client, used only if the server cannot be reached. */
const bundled = import.meta.glob<{ default: Texts }>('../../../../locales/*/*.json')

/** Loads the texts of a namespace from the server for i18next. */
export const backend: BackendModule = {
  type: 'backend',
  init() {},
  read(lng: string, ns: string, done: ReadCallback) {
    loadTexts(lng, ns).then(
      (texts) => done(null, texts as Parameters<ReadCallback>[1]),
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
  const load = bundled[`../../../../locales/${lng}/${ns}.json`]
  if (!load) throw new Error(`No texts for ${lng}/${ns}`)
  return (await load()).default
}
