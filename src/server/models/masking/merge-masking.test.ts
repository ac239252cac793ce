import { describe, expect, it } from 'vitest'
import type { CompanyMasking } from '#shared/models/masking/masking.ts'
import { joinMasking } from './merge-masking.ts'

const setting = (
  mode: CompanyMasking['mode'],
  connections: Record<string, boolean> = {},
): CompanyMasking => ({
  ...{ mode, kinds: ['person'], connections },
})

describe('the settings of two companies that become one', () => {
  it.each([
    ['the stricter mode', setting('off'), setting('on'), setting('on')],
    ['the choice of people', setting('choice'), setting('off'), setting('choice')],
    [
      'a provider that one always gives placeholders',
      setting('off', { a: true }),
      setting('on', { a: false }),
      setting('on', { a: true }),
    ],
    ['no exception of only one', setting('on', { a: false }), setting('on'), setting('on')],
    [
      'an exception of both',
      setting('on', { a: false }),
      setting('choice', { a: false }),
      setting('on', { a: false }),
    ],
    [
      'an exception where the other replaces nothing',
      setting('on', { a: false }),
      setting('off'),
      setting('on', { a: false }),
    ],
  ])('have %s', (_, one, other, joined) => {
    expect(joinMasking(one, other)).toEqual(joined)
    expect(joinMasking(other, one)).toEqual(joined)
  })

  it('have the kinds of both', () => {
    const joined = joinMasking(
      { ...setting('on'), kinds: ['iban'] },
      { ...setting('on'), kinds: ['person', 'iban'] },
    )
    expect(joined.kinds).toEqual(['person', 'iban'])
  })
})
