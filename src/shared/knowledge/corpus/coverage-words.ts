import type { Language } from '../../platform/primitives.ts'
import type { Coverage } from './corpus.ts'

/** Returns the sentence on coverage that ends an answer. */
export function sayCoverage(language: Language, { read, total }: Coverage, documents: number): string {
  const count = (value: number) => value.toLocaleString(language)
  return language === 'fr'
    ? `Passages lus\u202f: ${count(read)} sur ${count(total)}, dans ${documents === 1 ? '1 document' : `${count(documents)} documents`}.`
    : `Passages read: ${count(read)} of ${count(total)}, in ${documents === 1 ? '1 document' : `${count(documents)} documents`}.`
}

const SAID =
  /^(?:Passages lus\u202f: [\d\u202f]+ sur|Passages read: [\d,]+ of) [\d,\u202f]+, (?:dans|in) [\d,\u202f]+ documents?\.$/

/** Returns true for a sentence on coverage, which needs no support from a document. */
export const isCoverage = (sentence: string): boolean => SAID.test(sentence.trim())
