import { describe, expect, it } from 'vitest'
import { readEnding, readToolError, toolError } from './tool-errors.ts'

describe('tool errors', () => {
  it('parses the sentence back to its code and values', () => {
    expect(readToolError(toolError('declined'))).toEqual({ code: 'declined', values: {} })
    expect(readToolError(toolError('declined_because', { reason: 'Use May.\nNot June.' }))).toEqual({
      code: 'declined_because',
      values: { reason: 'Use May.\nNot June.' },
    })
    expect(readToolError(toolError('slow', { tool: 'Weather (v2)', seconds: '20' }))).toEqual({
      code: 'slow',
      values: { tool: 'Weather (v2)', seconds: '20' },
    })
  })

  it("ignores a tool's own errors", () => {
    expect(readToolError('Division by zero is not possible.')).toBeNull()
    expect(readToolError(null)).toBeNull()
  })

  it('distinguishes declined and stopped calls from failed ones', () => {
    expect(readEnding(toolError('declined_because', { reason: 'No' }))).toBe('declined')
    expect(readEnding(toolError('ended'))).toBe('stopped')
    expect(readEnding(toolError('unexpected', { tool: 'Probe' }))).toBeNull()
  })
})
