// @vitest-environment node
/// <reference types="node" />
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { csvStyles } from '#shared/platform/csv.ts'
import { tableFile } from './table-file.ts'

const table = {
  head: ['Supplier', 'Cost', 'Share', 'Ends', 'Pieces', 'Code', 'Seen'],
  rows: [
    ['Kessler Technik', '612 400 €', '12.5 %', '31 March 2027', '1,204', '007', '2026-11-24 10:31'],
    ['Dalkorne', '488 150,50 €', '-3 %', '30 Jun 2028', '-17', '12345678901234567890', '2026-11-25'],
    ['=HYPERLINK("http://x","y")', '-4,20 €', 'n/a', '30 Feb 2028', '12', '+1+cmd|x', '@SUM(1)'],
  ],
}
const office = 'soffice'
const day = (text: string) => new Date(`${text}Z`)
const folder = mkdtempSync(join(tmpdir(), 'atrium-workbook-'))
let bytes: Buffer
beforeAll(async () => {
  bytes = Buffer.from(await (await tableFile(table, 'xlsx', csvStyles.en)).arrayBuffer())
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('table as a workbook', () => {
  it('has numbers, money, percentages and dates as such for another library, and everything else as text [XE-02]', async () => {
    const rows = await readSheet(bytes)
    expect(rows).toEqual([
      table.head,
      ['Kessler Technik', 612_400, 0.125, day('2027-03-31T00:00'), 1204, '007', day('2026-11-24T10:31')],
      [
        'Dalkorne',
        488_150.5,
        -0.03,
        day('2028-06-30T00:00'),
        -17,
        table.rows[1]?.[5],
        day('2026-11-25T00:00'),
      ],
      [table.rows[2]?.[0], -4.2, 'n/a', '30 Feb 2028', 12, '+1+cmd|x', '@SUM(1)'],
    ])
  })

  it('freezes its header, fits its column widths, and has no formulas [XE-02]', async () => {
    const sheet = await partOf(bytes, 'xl/worksheets/sheet1.xml')
    expect(sheet).toMatch(/<pane [^>]*ySplit="1"[^>]*state="frozen"/)
    expect(sheet).not.toContain('<f')
    const widths = [...sheet.matchAll(/<col [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width))
    expect(widths).toHaveLength(7)
    for (const width of widths) expect(width).toBeGreaterThanOrEqual(8)
    expect(Math.max(...widths)).toBeLessThanOrEqual(60)
  })

  it('is the same for LibreOffice: types, values, and display [XE-02]', { timeout: 120_000 }, () => {
    writeFileSync(join(folder, 'table.xlsx'), bytes)
    const cells = cellsOf(open('table.xlsx'))
    expect(cells.slice(7)).toEqual([
      ...['string Kessler Technik', 'currency 612400', 'percentage 0.125', 'date 2027-03-31', 'float 1204'],
      ...[
        'string 007',
        'date 2026-11-24T10:31:00',
        'string Dalkorne',
        'currency 488150.5',
        'percentage -0.03',
      ],
      ...['date 2028-06-30', 'float -17', 'string 12345678901234567890', 'date 2026-11-25'],
      ...[
        'string =HYPERLINK("http://x","y")',
        'currency -4.2',
        'string n/a',
        'string 30 Feb 2028',
        'float 12',
      ],
      ...['string +1+cmd|x', 'string @SUM(1)'],
    ])
  })

  it.each(['csv', 'html'] as const)(
    'runs nothing as %s in LibreOffice either [XE-02]',
    { timeout: 120_000 },
    async (format) => {
      const file = await tableFile(table, format, csvStyles.en)
      writeFileSync(join(folder, `plain.${format}`), Buffer.from(await file.arrayBuffer()))
      const flat = open(`plain.${format}`)
      expect(flat).not.toContain('table:formula')
      expect(flat).toContain('cmd|x')
    },
  )

  it('marks possible formulas in HTML as text, and keeps the text in Markdown [XE-02]', async () => {
    const html = await (await tableFile(table, 'html', csvStyles.en)).text()
    for (const words of ['=HYPERLINK', '+1+cmd', '@SUM'])
      expect(html).toContain(`<td style="mso-number-format:'\\@'" sdnum="1033;0;@">${words}`)
    expect(html).toContain('<td>-17</td>')
    const markdown = await (await tableFile(table, 'md', csvStyles.en)).text()
    expect(markdown).toContain('| +1+cmd\\|x |')
  })
})

/** Returns a file as parsed by LibreOffice, with the type of each cell. */
function open(name: string): string {
  const to = ['--convert-to', 'fods', '--outdir', folder]
  const profile = `-env:UserInstallation=file://${folder}/profile`
  const filter = name.endsWith('.html') ? ['--infilter=HTML (StarCalc)'] : []
  execFileSync(office, [profile, '--headless', ...filter, ...to, join(folder, name)], { stdio: 'ignore' })
  return readFileSync(join(folder, name.replace(/\.\w+$/, '.fods')), 'utf8')
}

function cellsOf(flat: string): string[] {
  return [...flat.matchAll(/<table:table-cell([^>]*)>\s*<text:p>([^<]*)</g)].map(
    ([, marks = '', words = '']) => {
      const type = /office:value-type="(\w+)"/.exec(marks)?.[1]
      const value = /office:(?:date-)?value="([^"]*)"/.exec(marks)?.[1]
      return `${type} ${value ?? words.replaceAll('&quot;', '"')}`
    },
  )
}

async function partOf(zip: Buffer, name: string): Promise<string> {
  const file = await fromBufferPromise(zip)
  for await (const entry of file.eachEntry())
    if (entry.fileName === name) return text(await file.openReadStreamPromise(entry))
  return ''
}
