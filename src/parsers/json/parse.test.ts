import { afterAll, describe, expect, it } from 'vitest'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'

afterAll(forgetParsed)

const brief = async (data: unknown) =>
  (await parseBytes('a.json', typeof data === 'string' ? data : JSON.stringify(data))).elements.map(
    ({ type, markdown, text }) => [type, markdown ?? text],
  )

describe('JSON', () => {
  it('shows similar records as a table, with nested ones in their own columns', async () => {
    const people = [
      { name: 'Ann', age: 31, address: { city: 'Lyon' }, tags: ['a', 'b'] },
      { name: 'Bob', age: null, active: false },
    ]
    expect(await brief(people)).toEqual([
      [
        'Table',
        '| name | age | address.city | tags | active |\n| --- | --- | --- | --- | --- |\n| Ann | 31 | Lyon | a, b |  |\n| Bob |  |  |  | false |',
      ],
    ])
  })

  it('shows nested objects under headings', async () => {
    const plan = {
      title: 'Plan',
      year: 2026,
      team: { lead: { name: 'Ann', role: 'boss' } },
      steps: ['x'.repeat(200), 'y'.repeat(200)],
    }
    expect(await brief(plan)).toEqual([
      ['Title', '# Plan'],
      ['ListItem', '- **year:** 2026'],
      ['Title', '## Ann'],
      ['ListItem', '- **role:** boss'],
      ['Title', '## steps'],
      ['ListItem', `- ${'x'.repeat(200)}`],
      ['ListItem', `- ${'y'.repeat(200)}`],
    ])
  })

  it('splits a long list of records into several tables with their headers', async () => {
    const rows = Array.from({ length: 120 }, (_, at) => ({ id: at, text: `row ${at}` }))
    const { elements } = await parseBytes('a.json', JSON.stringify(rows))
    expect(elements.map(({ text }) => text.split('\n').length)).toEqual([51, 51, 21])
    expect(elements.every(({ text }) => text.startsWith('id\ttext\n'))).toBe(true)
  })

  it('reads one value per line', async () => {
    expect(await brief('{"a":1}\n{"a":2}\n')).toEqual([['Table', '| a |\n| --- |\n| 1 |\n| 2 |']])
  })

  it('is code if it is malformed or nested absurdly deep', async () => {
    expect((await brief('{"a": 1, oops}'))[0]?.[0]).toBe('CodeSnippet')
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const { elements } = await parseBytes('a.json', deep)
    expect(elements.map(({ type }) => type)).toEqual(['CodeSnippet'])
  })
})
