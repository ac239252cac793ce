import i18next from 'i18next'
import { beforeEach, describe, expect, it } from 'vitest'
import { startTexts } from '#tests/web/render-page.tsx'
import { warningCodes } from '../../../parsers/elements/port.ts'
import { warningText } from './facts/quality-report.tsx'

const values = {
  ...{ count: 3, pages: 3, rows: 3, characters: 3, names: 'A', sheet: 'B', format: 'pdf' },
  ...{ encoding: 'koi8-r', where: '3, 7', words: 'Port Ships' },
}

describe.each(['en', 'fr'] as const)('warnings of a reading, in %s', (language) => {
  beforeEach(() => startTexts(language))

  it.each(warningCodes)('has a sentence for %s', (code) => {
    const t = i18next.getFixedT(language, 'documents') as never as Parameters<typeof warningText>[0]
    const other = warningText(t, { code: 'nobody-knows', values: {} })
    for (const count of [1, 3]) {
      const sentence = warningText(t, { code, values: { ...values, count, pages: count, rows: count } })
      expect(sentence).not.toBe(other)
      expect(sentence).toMatch(/^\S.*\.$/)
      expect(sentence).not.toMatch(/\{\{|warnings\./)
    }
  })
})
