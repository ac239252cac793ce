import { describe, expect, it } from 'vitest'
import type { ModelMessage } from '../../../models/models/port.ts'
import { KNOWN_MARK, SUMMARY_MARK } from '../prompt/prompt-marks.ts'
import { measurePrompt } from './measure-prompt.ts'

const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const text = (length: number) => 'x'.repeat(length)

describe('measurePrompt', () => {
  it('shares the tokens of a prompt out over its parts, by their size', () => {
    const system = `${text(100)}${SUMMARY_MARK}${text(200)}${KNOWN_MARK}${text(50)}`
    const asked: ModelMessage[] = [
      { role: 'system', content: system },
      user(text(100)),
      { role: 'assistant', content: [{ type: 'text', text: text(100) }] },
      user(text(100)),
      { role: 'assistant', content: [{ type: 'tool-call', id: '1', name: 'a', input: text(20) }] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', id: '1', name: 'a', output: text(80), is_error: false }],
      },
    ]
    const told = asked.with(3, user(text(250)))
    const sent = asked.with(3, user(text(350)))
    const parts = measurePrompt({ asked, told, sent, tools: [] }, 500)
    expect(parts).toEqual({
      ...{ instructions: 50, memory: 75, documents: 75, history: 150, summaries: 100, tools: 0, work: 50 },
    })
  })

  it('adds up to the total, whatever is rounded', () => {
    const asked: ModelMessage[] = [{ role: 'system', content: text(7) }, user(text(5))]
    for (const total of [0, 1, 2, 3, 1000]) {
      const parts = measurePrompt(
        { asked, told: asked, sent: asked, tools: [{ name: 'a', description: 'b', input_schema: {} }] },
        total,
      )
      expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(total)
    }
  })
})
