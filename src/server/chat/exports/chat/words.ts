import type { Language } from '#shared/platform/primitives.ts'
import english from '../../../../../locales/en/exports.json' with { type: 'json' }
import citationsEnglish from '../../../../../locales/en/streaming_blocks.json' with { type: 'json' }
import french from '../../../../../locales/fr/exports.json' with { type: 'json' }
import citationsFrench from '../../../../../locales/fr/streaming_blocks.json' with { type: 'json' }

/** Returns the export texts in a language. */
export function wordsOf(language: Language) {
  const { document, archive } = language === 'fr' ? french : english
  const { citation } = language === 'fr' ? citationsFrench : citationsEnglish
  return { ...document, archive, places: citation }
}
export type Words = ReturnType<typeof wordsOf>

/** Fills the placeholders of a text. Values are single words, not translatable texts. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{\{(\w{1,40})\}\}/g, (whole, name: string) => String(values[name] ?? whole))
}
