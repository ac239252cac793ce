import { describe, expect, it } from 'vitest'
import { typedAt } from './typing.ts'

describe('the typing title', () => {
  const at = (elapsed: number) => typedAt([30, 60], elapsed)

  it('types a phrase in 3 s, whatever its length [AU-03]', () => {
    expect(at(0).shown).toBe(0)
    expect(at(1500).shown).toBe(15)
    expect(at(2999).shown).toBe(29)
    expect(at(3000).shown).toBe(30)
  })

  it('holds a typed phrase for 10 s [AU-03]', () => {
    expect(at(12_999)).toMatchObject({ phrase: 0, shown: 30 })
  })

  it('erases 25 ms per character [AU-03]', () => {
    expect(at(13_025).shown).toBe(29)
    expect(at(13_000 + 25 * 29).shown).toBe(1)
    expect(at(13_000 + 25 * 30).shown).toBe(0)
  })

  it('pauses 1 s, then types the next phrase, and wraps around after the last [AU-03]', () => {
    const first = 13_000 + 25 * 30
    expect(at(first + 999)).toMatchObject({ phrase: 0, shown: 0 })
    expect(at(first + 1000 + 1500)).toMatchObject({ phrase: 1, shown: 30 })
    const second = first + 1000 + 13_000 + 25 * 60 + 1000
    expect(at(second + 1500)).toMatchObject({ phrase: 0, shown: 15 })
  })

  it('returns the time until the next change, so that no timer runs in between [AU-03]', () => {
    expect(at(3000).next).toBe(10_000)
    expect(at(1500).next).toBe(100)
    expect(at(13_000 + 25 * 30).next).toBe(1000)
  })
})
