import { describe, expect, it } from 'vitest'
import type { ModelMessage } from '../../../models/models/port.ts'
import { tellMemory } from '../../../models/models/told-memory.ts'
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
    const sent = asked.with(3, user(text(350)))
    const parts = measurePrompt({ asked, sent, tools: [] }, 500)
    expect(parts).toEqual({
      ...{ instructions: 50, memory: 25, documents: 125, history: 150, summaries: 100, tools: 0, work: 50 },
    })
  })

  it('counts facts as memory and not as documents', () => {
    const asked: ModelMessage[] = [{ role: 'system', content: text(100) }, user(text(100))]
    const told = { facts: [{ text: text(50), isOfProject: false }], remembered: [] }
    const sent = tellMemory(asked, { ...told, asksAboutMe: false, isOff: false })
    const size = JSON.stringify(sent).length - JSON.stringify(asked).length
    const { memory, documents } = measurePrompt({ asked, sent, tools: [] }, 1000)
    expect(documents).toBe(0)
    expect(memory).toBeGreaterThan(50)
    expect(memory).toBeLessThan(1000 * (size / (200 + size)))
  })

  it('adds up to the total, whatever is rounded', () => {
    const asked: ModelMessage[] = [{ role: 'system', content: text(7) }, user(text(5))]
    for (const total of [0, 1, 2, 3, 1000]) {
      const parts = measurePrompt(
        { asked, sent: asked, tools: [{ name: 'a', description: 'b', input_schema: {} }] },
        total,
      )
      expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(total)
    }
  })
})
