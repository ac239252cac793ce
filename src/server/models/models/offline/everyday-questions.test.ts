import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Language } from '#shared/platform/primitives.ts'
import { talk } from '#tests/built-in-talk.ts'
import { say } from './phrases.ts'
import { refusals } from './talk-phrases.ts'

type Case = { question: string; expected: string; earlier: string | undefined }

/**
 * Reads lines of `question => expectation`: a regular expression, or `honest` for a refusal. A line with `>` is the answer that
 * precedes the following questions, up to the next heading.
 */
function readCases(language: Language): Case[] {
  const path = new URL(`../../../../../tests/everyday/${language}.txt`, import.meta.url)
  const cases: Case[] = []
  let earlier: string | undefined
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line.startsWith('# ')) earlier = undefined
    if (line.startsWith('> ')) earlier = line.slice(2)
    const [question, expected] = line.split(' => ')
    if (question && expected) cases.push({ question, expected, earlier })
  }
  return cases
}

const withSpaces = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

async function expectAnswer(language: Language, { question, expected, earlier }: Case, spoken: Language) {
  const asked = { language: spoken, withTools: false, ...(earlier && { earlier }) }
  const text = withSpaces((await talk(question, asked)).text)
  const refused = refusals.map((phrase) => withSpaces(say(language, phrase)))
  if (expected === 'honest') expect(refused).toContain(text)
  else expect(text).toMatch(new RegExp(expected, 's'))
}

for (const language of ['en', 'fr'] as const)
  describe(`everyday questions in ${language}`, () => {
    const cases = readCases(language)

    it('include at least two hundred', () => {
      expect(cases.length).toBeGreaterThanOrEqual(200)
    })

    it.each(cases)('answers “$question” with $expected', async (one) => {
      await expectAnswer(language, one, language)
      // A few words identify the language. It then overrides that of the interface.
      const words = one.question.match(/\p{L}{2,}/gu) ?? []
      if (words.length > 2) await expectAnswer(language, one, language === 'en' ? 'fr' : 'en')
    })
  })
