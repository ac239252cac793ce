import { describe, expect, it } from 'vitest'
import { type CardFacts, cardStatus, INVALID_INPUT, INVALID_RESULT, readPayload } from './card-status.ts'

const facts = (patch: Partial<CardFacts> = {}): CardFacts => ({
  ...{ isLoading: false, input: null, result: null, error: null, ...patch },
})

describe('card status', () => {
  it.each<[Partial<CardFacts>, string]>([
    [{}, 'waiting'],
    [{ input: {} }, 'waiting'],
    [{ input: { location: '' } }, 'waiting'],
    [{ input: { location: 'Lyon' } }, 'input'],
    [{ input: { n: 0 } }, 'input'],
    [{ input: { location: 'Lyon' }, result: {} }, 'input'],
    [{ input: { location: 'Lyon' }, result: { temperature: 45 } }, 'done'],
    [{ result: 'text' }, 'done'],
    [{ result: 0 }, 'done'],
    [{ result: { a: 1 }, error: 'No.' }, 'error'],
    [{ isLoading: true, result: { a: 1 }, error: 'No.' }, 'running'],
    [{ isLoading: true }, 'running'],
  ])('%j is %s [TO-08, TO-09]', (patch, status) => {
    expect(cardStatus(facts(patch))).toBe(status)
  })

  it('treats incomplete JSON as running [TO-10]', () => {
    expect([INVALID_INPUT, INVALID_RESULT]).toEqual(['Invalid input JSON', 'Invalid result JSON'])
    for (const error of [INVALID_INPUT, INVALID_RESULT])
      expect(cardStatus(facts({ error, result: '{"temp', input: { a: 1 } }))).toBe('running')
  })

  it('parses text that looks like JSON, and keeps other text [TO-10, TO-17]', () => {
    expect(readPayload('{"a": 1}')).toEqual({ value: { a: 1 }, isValid: true })
    expect(readPayload('{"a": ')).toEqual({ value: '{"a": ', isValid: false })
    expect(readPayload('three hits')).toEqual({ value: 'three hits', isValid: true })
    expect(readPayload({ a: 1 })).toEqual({ value: { a: 1 }, isValid: true })
  })
})
