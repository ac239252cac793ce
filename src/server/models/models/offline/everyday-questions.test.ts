import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { talk } from '#tests/built-in-talk.ts'
import { say } from './phrases.ts'
import { refusals } from './talk-phrases.ts'

type Case = { question: string; expected: string; earlier: string | undefined }

/** Lines of `question => expectation`; a line with `>` is the answer before those that follow, up to the next heading. */
function readCases(language: 'en' | 'fr'): Case[] {
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

const honest = (['en', 'fr'] as const).map((language) => refusals.map((phrase) => say(language, phrase)))

describe.each(['en', 'fr'] as const)('everyday questions in %s', (language) => {
  const cases = readCases(language)

  it('number at least two hundred', () => {
    expect(cases.length).toBeGreaterThanOrEqual(200)
  })

  it.each(cases)('answers “$question” with $expected', async ({ question, expected, earlier }) => {
    const other = language === 'en' ? 'fr' : 'en'
    const isSpoken = (question.match(/\p{L}{2,}/gu)?.length ?? 0) > 2
    for (const interfaceLanguage of isSpoken ? [language, other] : [language]) {
      const asked = { language: interfaceLanguage, withTools: false, ...(earlier && { earlier }) } as const
      const text = (await talk(question, asked)).text.replace(/[\u00a0\u202f]/g, ' ')
      if (expected === 'honest')
        expect(
          honest[language === 'en' ? 0 : 1]?.map((one) => one.replace(/[\u00a0\u202f]/g, ' ')),
        ).toContain(text)
      else
        expect(text).toMatch(new RegExp(expected.replace('(?s)', ''), expected.startsWith('(?s)') ? 's' : ''))
    }
  })
})
