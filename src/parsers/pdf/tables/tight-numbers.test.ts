import { describe, expect, it } from 'vitest'
import { buildPdf, write } from '#tests/pdf.ts'
import { readBytes } from '#tests/reading.ts'
import { gridOf } from '../../elements/table.ts'
import { parse } from '../parse.ts'

const tables = async (content: string[]) => {
  const { elements } = await readBytes(parse, 'pdf', buildPdf([{ width: 600, height: 800, content }]))
  return elements.flatMap(({ cells }) => (cells ? [gridOf(cells)] : []))
}

/** Widths of Helvetica in thousandths of the font size. */
const WIDTHS: Record<string, number> = { ',': 278, '.': 278, ' ': 278, '%': 889, '(': 333, ')': 333 }
const widthOf = (text: string) => [...text].reduce((sum, sign) => sum + (WIDTHS[sign] ?? 556), 0) / 100
const endingAt = (x: number, y: number, text: string) => write(x - widthOf(text), y, text, { size: 10 })
const beginningAt = (x: number, y: number, text: string) => write(x, y, text, { size: 10 })

describe('cells a space apart', () => {
  it('are split where numbers end at the edge of a column', async () => {
    const rows = [
      ['Health', '12', '65.4%', '7'],
      ['Energy', '9,413', '81.1%', '104,884'],
      ['Waste', '10', '4.3%', '704,454'],
      ['Water', '398', '27.1%', '9'],
      ['Other', '21', '36.4%', '242'],
    ]
    const content = rows.flatMap(([label = '', a = '', b = '', c = ''], at) => {
      const y = 700 - at * 20
      return [
        beginningAt(60, y, label),
        endingAt(200, y, a),
        endingAt(250, y, b),
        endingAt(252.5 + widthOf('704,454'), y, c),
      ]
    })
    expect(await tables(content)).toEqual([rows])
  })

  it('are split where texts follow numbers that end at one position', async () => {
    const rows = [
      ['Health', '4', 'under review'],
      ['Energy', '1,657', 'full cover'],
      ['Waste', '916', 'estimate'],
      ['Water', '681', 'interview held'],
      ['Other', '32', 'field survey'],
    ]
    const content = rows.flatMap(([label = '', a = '', b = ''], at) => {
      const y = 700 - at * 20
      return [beginningAt(60, y, label), endingAt(200, y, a), beginningAt(203, y, b)]
    })
    expect(await tables(content)).toEqual([rows])
  })

  it('stay one where a number has its unit', async () => {
    const rows = ['12 kg', '1,200 kg', '7 kg', '340 kg', '98 kg'].map((text, at) => [`Item ${at}`, text, '5'])
    const content = rows.flatMap(([label = '', a = '', b = ''], at) => {
      const y = 700 - at * 20
      return [beginningAt(60, y, label), endingAt(200, y, a), endingAt(300, y, b)]
    })
    expect(await tables(content)).toEqual([rows])
  })
})

describe('a group label below the head', () => {
  it('keeps the head in a table with wide rows', async () => {
    const rows = [
      ['Region', 'Sold', 'Left', 'Lost'],
      ['Northern half:', '', '', ''],
      ['North', '12', '14', '3'],
      ['South', '9', '11', '4'],
      ['West', '3', '5', '1'],
    ]
    const xs = [60, 200, 300, 400]
    const content = rows.flatMap((texts, row) =>
      texts.flatMap((text, at) => (text ? [beginningAt(xs[at] ?? 0, 700 - row * 40, text)] : [])),
    )
    const [table] = await tables(content)
    expect(table?.[0]).toEqual(rows[0])
    expect(table?.slice(2)).toEqual(rows.slice(2))
  })
})
