import { describe, expect, it } from 'vitest'
import { readTrouble, sayTrouble } from './provider-trouble.ts'

describe('the trouble of a provider', () => {
  it('is read back with the provider’s own words', () => {
    expect(readTrouble(sayTrouble('unreachable'))).toEqual({ kind: 'unreachable', said: '' })
    expect(readTrouble(sayTrouble('unauthorized', 'Wrong key: sk-…'))).toEqual({
      kind: 'unauthorized',
      said: 'Wrong key: sk-…',
    })
    expect(readTrouble('Something else.')).toBeNull()
  })

  it('does not take the name of a network error, which older sentences have, for words', () => {
    expect(readTrouble('The model provider cannot be reached: ECONNREFUSED')?.said).toBe('')
  })
})
