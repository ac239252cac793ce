import { describe, expect, it } from 'vitest'
import { beginningOf, diffLines } from './text-diff.ts'

const show = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`)

describe('diffLines', () => {
  it('marks added and removed lines between unchanged ones [SV-95]', () => {
    expect(show('a\nb\nc', 'a\nx\nc\nd')).toEqual([' a', '-b', '+x', ' c', '+d'])
    expect(show('', 'a')).toEqual(['+a'])
    expect(show('a', '')).toEqual(['-a'])
    expect(show('a', 'a')).toEqual([' a'])
    expect(show('', '')).toEqual([])
  })

  it('allows rebuilding both texts after any change [SV-95]', () => {
    let seed = 7
    const next = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed % below
    }
    const aText = () => Array.from({ length: next(12) }, () => 'abcd'[next(4)]).join('\n')
    for (let tries = 0; tries < 300; tries++) {
      const [before, after] = [aText(), aText()]
      const changes = diffLines(before, after)
      const side = (left: string) =>
        changes
          .filter(({ kind }) => kind !== left)
          .map(({ text }) => text)
          .join('\n')
      expect(side('added')).toBe(before)
      expect(side('removed')).toBe(after)
    }
  })

  it('compares only the beginning of a long text', () => {
    expect(beginningOf('\n'.repeat(1_000_000)).length).toBeLessThan(5_000)
    expect(beginningOf('a'.repeat(1_000_000))).toHaveLength(200_000)
    expect(beginningOf('a\r\nb\n')).toBe('a\r\nb\n')
  })

  it('compares long similar lines as fast as short ones', () => {
    const lines = (length: number, end: string) =>
      Array.from({ length: 1_000 }, (_, at) => `${'x'.repeat(length)}${at}${end}`).join('\n')
    const time = (length: number) => {
      const [before, after] = [lines(length, 'a'), lines(length, 'b')]
      const started = performance.now()
      diffLines(before, after)
      return performance.now() - started
    }
    const least = (length: number) => Math.min(...Array.from({ length: 5 }, () => time(length)))
    expect(least(2_000)).toBeLessThan(least(1) * 5 + 20)
  })

  it('takes linear time for two very long texts [SV-95]', () => {
    const long = (name: string) => Array.from({ length: 20_000 }, (_, at) => `${name} ${at}`).join('\n')
    const started = performance.now()
    expect(diffLines(long('a'), long('b'))).toHaveLength(40_000)
    expect(performance.now() - started).toBeLessThan(1000)
  })
})
