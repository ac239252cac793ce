import { afterAll, describe, expect, it } from 'vitest'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'

afterAll(forgetParsed)

describe('csv', () => {
  it.each([
    [',', 'a,b\n"x, y",2\n'],
    [';', 'a;b\nx, y;2\n'],
    ['\t', 'a\tb\nx, y\t2\n'],
    ['|', 'a|b\nx, y|2\n'],
    ['said by its first line', 'sep=;\na;b\n"x, y";2\n'],
  ])('finds the delimiter: %s', async (_, text) => {
    const { elements } = await parseBytes('a.csv', text)
    expect(elements[0]?.text).toBe('a\tb\nx, y\t2')
    expect(elements[0]?.place).toEqual({ sheet: 'a', range: 'A1:B2' })
  })

  it('keeps typed cells for the grid', async () => {
    const { keptText } = await parseBytes('list.csv', 'n;s;b;d;e\n1 234,50;0042;true;2024-03-01;#N/A\n')
    expect(JSON.parse(await keptText('sheets.json'))).toEqual({
      sheets: [
        {
          name: 'list',
          hidden: false,
          rows: 2,
          columns: 5,
          widths: [null, null, null, null, null],
          frozen: { rows: 0, columns: 0 },
          merges: [],
          blocks: 1,
          notation: 'own',
        },
      ],
    })
    const { rows } = JSON.parse(await keptText('sheet-0-rows-0.json'))
    expect(rows[1]).toEqual([
      { c: 0, v: '1 234,50', t: 'n' },
      { c: 1, v: '0042', t: 's' },
      { c: 2, v: 'true', t: 'b' },
      { c: 3, v: '2024-03-01', t: 'd' },
      { c: 4, v: '#N/A', t: 'e' },
    ])
  })

  it('reads 100,000 rows in blocks, each element with its range and the head of the table', async () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => `${at},name ${at},${at % 7}`)
    const { elements, keptText, facts } = await parseBytes('big.csv', `id,name,rest\n${lines.join('\n')}\n`)
    expect(facts.rows).toBe(100_001)
    const { sheets } = JSON.parse(await keptText('sheets.json'))
    expect(sheets[0]).toMatchObject({ rows: 100_001, columns: 3, blocks: 201 })
    const last = elements.at(-1)
    expect(last?.place?.range).toBe('A100001:C100001')
    expect(last?.markdown).toBe('| id | name | rest |\n| --- | --- | --- |\n| 99999 | name 99999 | 4 |')
    expect(elements[0]?.place?.range).toBe('A1:C50')
  })

  it('stops at the limit of rows and says so', async () => {
    const { warnings } = await parseBytes('a.csv', 'a,b\n1,2\n3,4\n5,6\n', { limits: { rows: 2 } })
    expect(warnings).toEqual([{ code: 'rows_skipped', values: { sheet: 'a', rows: 2 } }])
  })

  it('reads older and wider encodings', async () => {
    const latin = await parseBytes('a.csv', Buffer.from('nom;âge\nÉlodie;3\n', 'latin1'))
    expect(latin.text).toContain('Élodie')
    expect(latin.warnings).toEqual([{ code: 'encoding_guessed', values: { encoding: 'windows-1252' } }])
    const wide = await parseBytes('a.csv', Buffer.from('\ufeffnom;âge\nÉlodie;3\n', 'utf16le'))
    expect(wide.elements[0]?.cells?.[0]?.text).toBe('nom')
  })

  it('separates tables by empty rows and columns', async () => {
    const { elements } = await parseBytes('a.csv', 'a,b,,x\n1,2,,3\n,,,\nc,d,,\n4,5,,\n')
    expect(elements.map(({ place }) => place?.range)).toEqual(['A1:B2', 'D1:D2', 'A4:B5'])
  })
})
