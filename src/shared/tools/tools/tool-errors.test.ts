import { describe, expect, it } from 'vitest'
import { readEnding, readToolError, toolError } from './tool-errors.ts'

describe('what is said of a call that came to nothing', () => {
  it('is read back as its code, with what it names', () => {
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

  it('leaves alone what a tool says itself', () => {
    expect(readToolError('Division by zero is not possible.')).toBeNull()
    expect(readToolError(null)).toBeNull()
  })

  it('tells what a person or the end of a run kept from its result from what failed', () => {
    expect(readEnding(toolError('declined_because', { reason: 'No' }))).toBe('declined')
    expect(readEnding(toolError('ended'))).toBe('stopped')
    expect(readEnding(toolError('unexpected', { tool: 'Probe' }))).toBeNull()
  })
})
