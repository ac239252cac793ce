import type { Language } from '#shared/platform/primitives.ts'
import english from '../../../../../locales/en/exports.json' with { type: 'json' }
import citationsEnglish from '../../../../../locales/en/streaming_blocks.json' with { type: 'json' }
import french from '../../../../../locales/fr/exports.json' with { type: 'json' }
import citationsFrench from '../../../../../locales/fr/streaming_blocks.json' with { type: 'json' }

/** The words of what is taken out. */
export function wordsOf(language: Language) {
  const { document, archive } = language === 'fr' ? french : english
  const { citation } = language === 'fr' ? citationsFrench : citationsEnglish
  return { ...document, archive, places: citation }
}
export type Words = ReturnType<typeof wordsOf>

/** A text with its values; these are words, never texts themselves. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{\{(\w{1,40})\}\}/g, (whole, name: string) => String(values[name] ?? whole))
}
