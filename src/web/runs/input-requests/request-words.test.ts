import i18next from 'i18next'
import { beforeEach, describe, expect, it } from 'vitest'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { startTexts } from '#tests/web/render-page.tsx'
import { aRequest } from '#tests/web/request-builder.ts'
import { requestWords } from './request-words.ts'

const operations = ['add', 'subtract', 'multiply', 'divide']
const calculator = { properties: { a: {}, b: {}, operation: { enum: operations } } }

function approval(toolId: string, name: string, input: object, input_schema: object): InputRequiredBlock {
  const tool = { tool_execution_id: 'e', tool_id: toolId, tool_name: name, input, input_schema }
  return aRequest({ kind: 'approval', tool: tool as never })
}
const sum = approval('calculator', 'Calculator', { a: 48000, b: '4.5', operation: 'multiply' }, calculator)
const booking = approval('book_room', 'Book room', { seats: 12, with_screen: true }, {})
const words = (request: InputRequiredBlock) => requestWords(request, i18next.t)

describe('request of a tool', () => {
  describe.each([
    ['en', 'Allow “Calculator” to multiply 48,000 by 4.5?', 'Seats: 12, With screen: Yes?'],
    ['fr', '« Calculatrice » à multiplier 48 000 par 4.5 ?', 'Seats : 12, With screen : Oui ?'],
  ])('in %s', (language, does, lists) => {
    beforeEach(() => startTexts(language))
    const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

    it('is a sentence of its own if the tool has one', () => {
      expect(plain(words(sum))).toContain(does)
    })

    it('lists the inputs otherwise', () => {
      expect(plain(words(booking))).toContain(lists)
    })
  })
})
