import { afterAll, expect, it } from 'vitest'
import { relations } from '#tests/office.ts'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'
import { zipOf } from '#tests/zip.ts'
import { findProgram } from '../elements/programs.ts'

afterAll(forgetParsed)

const rows =
  '<row r="1"><c r="A1"><v>20</v></c><c r="B1"><v>22</v></c><c r="C1"><f>A1+B1</f></c><c r="D1"><f>C1*2</f><v></v></c></row>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
/** Complete enough for LibreOffice to open it. */
const bytes = zipOf({
  '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
  '_rels/.rels': relations({ rId1: ['officeDocument', 'xl/workbook.xml'] }),
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations({ rId1: ['worksheet', 'worksheets/sheet1.xml'] }),
  'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
})

it.runIf(findProgram('soffice'))(
  'calculates formulas that have no result, and says so',
  async () => {
    const { elements, warnings } = await parseBytes('a.xlsx', bytes, { pipeline: 'normal' })
    expect(elements.at(-1)?.text).toBe('20\t22\t42\t84')
    expect(warnings).toContainEqual({ code: 'formulas_calculated', values: { count: 2 } })
  },
  120_000,
)

it('counts the formulas if there is no time to calculate them', async () => {
  const { warnings } = await parseBytes('a.xlsx', bytes, { pipeline: 'low_latency' })
  expect(warnings).toContainEqual({ code: 'formulas_without_results', values: { count: 2 } })
})
