import type { Language } from '#shared/platform/primitives.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { authorOf, partsOf } from './read-entry.ts'
import { wordsOf } from './words.ts'

export type QuietPart =
  | { kind: 'text'; text: string }
  | { kind: 'steps'; lines: string[] }
  | { kind: 'picture'; url: string; alt: string }
  | { kind: 'notice'; text: string }

/** Splits a reply into texts and the parts between them, for pages that render Markdown themselves. */
export function quietParts(
  message: Message,
  { language, steps, product }: { language: Language; steps: boolean; product: string | null },
): { author: string; parts: QuietPart[] } {
  const parts = partsOf(message, {
    words: wordsOf(language),
    steps,
    readText: (source) => ({ source, blocks: [] }),
  })
  return {
    author: authorOf(message, product),
    parts: parts.map((part): QuietPart => {
      if (part.kind === 'text') return { kind: 'text', text: part.source }
      return part.kind === 'picture' ? { kind: 'picture', url: part.address, alt: part.alt } : part
    }),
  }
}
