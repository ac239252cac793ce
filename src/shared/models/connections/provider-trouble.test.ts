import { describe, expect, it } from 'vitest'
import { readTrouble, sayTrouble } from './provider-trouble.ts'

describe('provider trouble', () => {
  it('restores the kind and the provider’s own words', () => {
    expect(readTrouble(sayTrouble('unreachable'))).toEqual({ kind: 'unreachable', said: '' })
    expect(readTrouble(sayTrouble('unauthorized', 'Wrong key: sk-…'))).toEqual({
      kind: 'unauthorized',
      said: 'Wrong key: sk-…',
    })
    expect(readTrouble(sayTrouble('wrong_address', 'http://h:1/x'))).toEqual({
      kind: 'wrong_address',
      said: 'http://h:1/x',
    })
    expect(readTrouble('Something else.')).toBeNull()
  })

  it('does not mistake the name of a network error in older sentences for the provider’s words', () => {
    expect(readTrouble('The model provider cannot be reached: ECONNREFUSED')?.said).toBe('')
  })
})
