import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findGaps, namedIn, readCoverage, renderCoverage } from './requirements.ts'

const root = new URL('..', import.meta.url).pathname

describe('the requirements of docs/requirements', () => {
  it('are each one sentence and named by a test, or neither', () => {
    expect(findGaps(readCoverage(root))).toEqual([])
  })

  it('stand on docs/spec-coverage.md as they are', () => {
    expect(readFileSync(`${root}/docs/spec-coverage.md`, 'utf8')).toBe(renderCoverage(readCoverage(root)))
  })
})

describe('the index of docs/requirements', () => {
  it('links every page that has sentences of an area', () => {
    const index = readFileSync(`${root}/docs/requirements/README.md`, 'utf8')
    const rows = [...index.matchAll(/^\| ([A-Z][A-Z0-9]{0,2}) \|.*\|$/gm)]
    const linked = new Map(
      rows.map(([row, area]) => [
        area,
        [...row.matchAll(/\(([^)]*\.md)\)/g)].map(([, page = '']) => decodeURI(page)),
      ]),
    )
    const { sentences } = readCoverage(root)
    const missing = [...sentences]
      .filter(([id]) => !/^[GR]-/.test(id))
      .filter(([id, [first]]) => !linked.get(id.split('-')[0])?.includes(first?.file ?? ''))
    expect(missing.map(([id, [first]]) => `${id} in ${first?.file}`)).toEqual([])
  })
})

describe('gaps', () => {
  const said = { file: 'a.md', text: 'It holds.' }

  it('are sentences without a test, tests without a sentence, IDs nobody knows, and what is said twice', () => {
    const sentences = new Map([
      ['AA-01', [said]],
      ['G-01', [said]],
      ['AA-02', [said, said]],
      ['AA-04', [{ file: 'a.md', text: '' }]],
      ['AA-09', [said]],
    ])
    const proofs = new Map(['AA-02', 'AA-03', 'AA-04', 'AA-08'].map((id) => [id, new Set(['a.test.ts'])]))
    const ids = ['AA-01', 'AA-02', 'AA-03', 'AA-04']
    expect(findGaps({ ids, choices: ['G-01'], sentences, proofs })).toEqual([
      'AA-09 has a sentence and is not in ids.txt',
      'AA-08 is named in a.test.ts and is no requirement',
      'AA-02 has 2 sentences',
      'AA-04 says nothing',
      'AA-03 is named by a test and has no sentence',
      'AA-01 has a sentence and no test names it',
      'G-01 has a sentence and no test names it',
    ])
  })
})

describe('the name of a test', () => {
  it.each([
    [`it('holds [AA-01, AA-02]', () => {`, ['AA-01', 'AA-02']],
    [`it("holds a person's name [AA-01]", () => {`, ['AA-01']],
    [`  it.each(looks)('holds (%s) [AA-01]', () => {`, ['AA-01']],
    [`  ])('hold [AA-03..AA-05]', () => {`, ['AA-03', 'AA-04', 'AA-05']],
    [`  it('hold [AA-03..05]', () => {`, ['AA-03', 'AA-04', 'AA-05']],
    [`describe('AA-01 is no test', () => {`, []],
  ])('%s', (source, ids) => {
    expect(namedIn(source)).toEqual(ids)
  })
})
