import { isCoverage } from '#shared/knowledge/corpus/coverage-words.ts'
import { checkAnswer } from '#shared/platform/citations/check.ts'
import { withoutCitations } from '#shared/platform/citations/citation-tags.ts'
import type { Doubt } from '#shared/platform/citations/doubts.ts'
import { languageOf } from '#shared/platform/citations/text-language.ts'

/** Returns doubts about sentences that the passages do not support. When answer and passages differ in language, only numbers are compared. */
export function checkCited(answer: string, passages: ReadonlyMap<string, string>): Doubt[] {
  const said = languageOf(withoutCitations(answer))
  const read = languageOf([...passages.values()].join('\n'))
  const wordsCount = said === null || read === null || said === read
  return checkAnswer(answer, passages, { wordsCount }).filter(
    ({ at, length }) => !isCoverage(withoutCitations(answer.slice(at, at + length))),
  )
}
