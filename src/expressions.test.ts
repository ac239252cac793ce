import { describe, expect, it } from 'vitest'
import { collectExpressions, readExpressions } from '#tests/expressions/collect-expressions.ts'
import { findSlowInput } from '#tests/expressions/time-expression.ts'

const { literals, built } = collectExpressions(new URL('.', import.meta.url).pathname)

describe('regular expressions', () => {
  it('are found in the code', () => {
    expect(literals.length).toBeGreaterThan(200)
    const { literals: one, built: two } = readExpressions(
      'a.tsx',
      "const a = <p>{/a+/u.test('/b/')}</p>\nnew RegExp('c' + a)\nRegExp(a)",
    )
    expect(one).toEqual([{ place: 'a.tsx:1', source: 'a+', flags: 'u' }])
    expect(two).toEqual(["a.tsx:2 new RegExp('c' + a)", 'a.tsx:3 RegExp(a)'])
  })

  it('are literals, so that each can be tested', () => {
    expect(built).toEqual([])
  })

  it('take linear time on any text', { timeout: 300_000 }, () => {
    const slow = literals.flatMap(({ place, source, flags }) => {
      const input = findSlowInput(source, flags)
      return input ? [`${place} /${source}/${flags} on ${JSON.stringify(input)}`] : []
    })
    expect(slow).toEqual([])
  })
})

describe('test of regular expressions', { timeout: 60_000 }, () => {
  it.each([
    ['exponential', '(a+)+$'],
    ['tried again at every place', '\\s+$'],
    ['tried again at every place, by a word', '<p[^>]*>'],
    ['two repetitions with a mark between them', '^(.*?),(.*?),$'],
    ['behind a beginning', '^key: *[a-z ]*!$'],
    ['a repetition in a lookahead', 'x(?!.*end)'],
    ['every place looks back', '(?<=,\\s*)[a ]'],
    ['digits with a point that may be missing', '^\\d+\\.?\\d*$'],
  ])('detects a slow one: %s', (_, source) => {
    expect(findSlowInput(source, 'u')).not.toBeNull()
  })

  it.each(['^\\s+', '(?<!\\s)\\s+$', '[?&][^=?&]+=', '^\\d+(\\.\\d*)?$', '\\p{L}+', 'x.{0,60}y'])(
    'accepts a fast one: %s',
    (source) => {
      expect(findSlowInput(source, 'u')).toBeNull()
    },
  )
})
