import type { Language } from '#shared/platform/primitives.ts'
import english from '../../../../locales/en/channels.json' with { type: 'json' }
import french from '../../../../locales/fr/channels.json' with { type: 'json' }

export type Sentence = keyof typeof english.said

/** Returns a sentence of the product for a channel. */
export function say(language: Language, sentence: Sentence, values: Record<string, string> = {}): string {
  const text = (language === 'fr' ? french : english).said[sentence]
  return text.replace(/\{\{(\w{1,50})\}\}/g, (_, name: string) => values[name] ?? '')
}
