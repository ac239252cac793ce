import { afterAll, describe, expect, it } from 'vitest'
import { xlsxOf } from '#tests/office.ts'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'

afterAll(forgetParsed)

const styles = `<numFmts><numFmt numFmtId="164" formatCode="#,##0.00&quot; €&quot;"/></numFmts>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="10"/></cellXfs>`

describe('xlsx', () => {
  it('shows typed cells in their format, with formulas and their results', async () => {
    const content = `<sheetViews><sheetView><pane xSplit="1" ySplit="2" state="frozen"/></sheetView></sheetViews>
      <cols><col min="1" max="2" width="20.53"/></cols><sheetData>
      <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>In</t></is></c></row>
      <row r="2"><c r="A2" s="1"><v>45352</v></c><c r="B2" s="2"><v>1234.5</v></c><c r="C2" s="3"><v>0.125</v></c><c r="D2" t="b"><v>1</v></c>
        <c r="E2" t="e"><v>#DIV/0!</v></c><c r="F2"><f>B2*2</f><v>2469</v></c><c r="G2"><f t="shared" si="0">A1</f><v>1</v></c><c r="H2"><f t="shared" si="0"/><v>1</v></c><c r="I2"><f>NOW()</f></c></row>
      </sheetData><mergeCells><mergeCell ref="A1:A1"/><mergeCell ref="B1:C1"/></mergeCells>`
    const { elements, keptText, warnings, facts } = await parseBytes(
      'a.xlsx',
      xlsxOf([{ name: 'Data', content }], { strings: ['Day'], styles }),
    )
    expect(elements.map(({ type, place }) => [type, place])).toEqual([
      ['Title', { sheet: 'Data' }],
      ['Table', { sheet: 'Data', range: 'A1:I2' }],
    ])
    const { rows } = JSON.parse(await keptText('sheet-0-rows-0.json'))
    expect(rows[1]).toEqual([
      { c: 0, v: '2024-03-01', t: 'd' },
      { c: 1, v: '1,234.50 €', t: 'n' },
      { c: 2, v: '12.50%', t: 'n' },
      { c: 3, v: 'TRUE', t: 'b' },
      { c: 4, v: '#DIV/0!', t: 'e' },
      { c: 5, v: '2469', t: 'n', f: 'B2*2' },
      { c: 6, v: '1', t: 'n', f: 'A1' },
      { c: 7, v: '1', t: 'n', f: 'A1' },
      { c: 8, v: '', t: 's', f: 'NOW()' },
    ])
    expect(JSON.parse(await keptText('sheets.json')).sheets[0]).toMatchObject({
      frozen: { rows: 2, columns: 1 },
      notation: 'en',
      merges: ['A1', 'B1:C1'],
      widths: [20.5, 20.5, null, null, null, null, null, null, null],
    })
    expect(elements[1]?.cells?.find(({ text }) => text === 'In')?.columnSpan).toBe(2)
    expect(warnings).toEqual([{ code: 'formulas_without_results', values: { count: 1 } }])
    expect(facts.sheets).toBe(1)
  })

  it('reports which sheets are hidden, and reads them', async () => {
    const content = '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>'
    const bytes = xlsxOf([
      { name: 'Shown', content },
      { name: 'Secret', content, state: 'veryHidden' },
    ])
    const { warnings, keptText, elements } = await parseBytes('a.xlsx', bytes)
    expect(warnings).toEqual([{ code: 'hidden_sheets', values: { count: 1, names: 'Secret' } }])
    expect(
      JSON.parse(await keptText('sheets.json')).sheets.map((one: { hidden: boolean }) => one.hidden),
    ).toEqual([false, true])
    expect(elements.at(-1)?.place?.sheet).toBe('Secret')
  })

  it('reads 100,000 rows as a stream', async () => {
    const rows = Array.from(
      { length: 100_000 },
      (_, at) =>
        `<row r="${at + 1}"><c r="A${at + 1}"><v>${at}</v></c><c r="B${at + 1}" t="s"><v>0</v></c></row>`,
    )
    const bytes = xlsxOf([{ name: 'Big', content: `<sheetData>${rows.join('')}</sheetData>` }], {
      strings: ['same'],
    })
    const { elements, keptText } = await parseBytes('a.xlsx', bytes)
    expect(elements).toHaveLength(2001)
    expect(elements.at(-1)?.place?.range).toBe('A99951:B100000')
    expect(elements.at(-1)?.cells).toHaveLength(100)
    expect(JSON.parse(await keptText('sheets.json')).sheets[0]).toMatchObject({ rows: 100_000, blocks: 200 })
  }, 60_000)
})
