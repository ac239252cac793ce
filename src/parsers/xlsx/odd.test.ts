import { afterAll, describe, expect, it } from 'vitest'
import { xlsxOf } from '#tests/office.ts'
import { oleOf } from '#tests/ole.ts'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'

afterAll(forgetParsed)

const sheet = (rows: string, behind = '') => [
  { name: 'S', content: `<sheetData>${rows}</sheetData>${behind}` },
]

describe('xlsx as programs write it', () => {
  it('counts days from 1904 if the file says so', async () => {
    const rows = '<row r="1"><c r="A1" s="0"><v>43890</v></c></row>'
    const bytes = xlsxOf(sheet(rows), {
      styles: '<cellXfs><xf numFmtId="14"/></cellXfs>',
      properties: '<workbookPr date1904="1"/>',
    })
    expect((await parseBytes('a.xlsx', bytes)).elements.at(-1)?.text).toBe('2024-03-01')
  })

  it('shows errors as errors', async () => {
    const errors = ['#DIV/0!', '#N/A', '#REF!', '#NAME?', '#VALUE!']
    const cells = errors.map((one, at) => `<c r="${'ABCDE'[at]}1" t="e"><v>${one}</v></c>`).join('')
    const { keptText } = await parseBytes('a.xlsx', xlsxOf(sheet(`<row r="1">${cells}</row>`)))
    const { rows } = JSON.parse(await keptText('sheet-0-rows-0.json'))
    expect(rows[0].map(({ v, t }: { v: string; t: string }) => [v, t])).toEqual(
      errors.map((one) => [one, 'e']),
    )
  })

  it('reads distant cells without anything in between', async () => {
    const rows =
      '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
    const far = await parseBytes('a.xlsx', xlsxOf(sheet(rows)))
    expect(far.elements.at(-1)).toMatchObject({ text: '2', place: { range: 'XFD1048576' } })
    const [entry] = JSON.parse(await far.keptText('sheets.json')).sheets
    expect(entry).toMatchObject({ rows: 1048576, blocks: 2098, filled_blocks: [0, 2097] })
    expect(far.kept.filter((name: string) => name.startsWith('sheet-'))).toHaveLength(2)
    const wide = '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>'
    const { elements, markdown } = await parseBytes('a.xlsx', xlsxOf(sheet(wide)))
    expect(elements.slice(1).map(({ place }) => place?.range)).toEqual(['A1', 'XFD1'])
    expect(markdown.length).toBeLessThan(100)
  })

  it('skips any number of cells that are only formatted', async () => {
    const rows = Array.from(
      { length: 5000 },
      (_, at) => `<row r="${at + 1}"><c r="A${at + 1}" s="1"/><c r="B${at + 1}" s="1"/></row>`,
    )
    const { elements, warnings } = await parseBytes(
      'a.xlsx',
      xlsxOf(sheet(`<row r="1"><c r="A1"><v>1</v></c></row>${rows.slice(1).join('')}`)),
    )
    expect(elements).toHaveLength(2)
    expect(warnings).toEqual([])
  })

  it('gives merged cells their spans', async () => {
    const rows =
      '<row r="1"><c r="A1" t="inlineStr"><is><t>Both</t></is></c></row><row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>'
    const { elements } = await parseBytes(
      'a.xlsx',
      xlsxOf(sheet(rows, '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>')),
    )
    expect(elements[1]?.cells?.[0]).toMatchObject({ text: 'Both', columnSpan: 2 })
  })

  it('with a password is reported', async () => {
    await expect(parseBytes('a.xlsx', oleOf(['EncryptedPackage', 'EncryptionInfo']))).rejects.toMatchObject({
      code: 'encrypted',
    })
  })

  it('that declares its own entities is refused', async () => {
    const bytes = xlsxOf([{ name: 'S', content: '' }], { strings: ['x'], properties: '<!ENTITY a "b">' })
    await expect(parseBytes('a.xlsx', bytes)).rejects.toMatchObject({ code: 'damaged' })
  })
})
