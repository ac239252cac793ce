import { describe, expect, it } from 'vitest'
import { buildPdf, line, write } from '#tests/pdf.ts'
import { readBytes } from '#tests/reading.ts'
import { gridOf } from '../../elements/table.ts'
import { parse } from '../parse.ts'

const tables = async (content: string[]) => {
  const { elements } = await readBytes(parse, 'pdf', buildPdf([{ width: 600, height: 800, content }]))
  return elements.flatMap(({ cells }) => (cells ? [gridOf(cells)] : []))
}

/** Draws rows of texts, each at the left edge of its column. */
const rowsAt = (xs: number[], top: number, step: number, rows: string[][]) =>
  rows.flatMap((texts, row) =>
    texts.flatMap((text, at) => (text ? [write(xs[at] ?? 0, top - row * step, text)] : [])),
  )

describe('tables without lines', () => {
  it('joins widely spaced rows in the same columns', async () => {
    const rows = [
      ['Region', 'Sold', 'Left'],
      ['North', '12', '14'],
      ['South', '9', '11'],
      ['West', '3', '5'],
    ]
    expect(await tables(rowsAt([60, 200, 300], 700, 45, rows))).toEqual([rows])
  })

  it('joins the lines of a cell, but never two numbers', async () => {
    const content = [
      ...rowsAt([60, 220, 320], 700, 26, [
        ['Item', 'Sold', 'Left'],
        ['Water, energy and', '12', '14'],
        ['Transport', '9', '11'],
        ['Education of', '3', '5'],
        ['Health', '7', '8'],
      ]),
      write(60, 662, 'waste'),
      write(60, 610, 'employees'),
    ]
    expect(await tables(content)).toEqual([
      [
        ['Item', 'Sold', 'Left'],
        ['Water, energy and waste', '12', '14'],
        ['Transport', '9', '11'],
        ['Education of employees', '3', '5'],
        ['Health', '7', '8'],
      ],
    ])
  })

  it('joins separate signs with their numbers', async () => {
    const content = rowsAt([60, 200, 260, 340, 400], 700, 14, [
      ['Revenue', '$', '1,200', '12.5', '%'],
      ['Cost', '$', '800', '4.0', '%'],
      ['Taxes', '', '75', '2.5', '%'],
      ['Profit', '$', '325', '1.0', '%'],
    ])
    expect(await tables(content)).toEqual([
      [
        ['Revenue', '$ 1,200', '12.5 %'],
        ['Cost', '$ 800', '4.0 %'],
        ['Taxes', '75', '2.5 %'],
        ['Profit', '$ 325', '1.0 %'],
      ],
    ])
  })

  it('spans a head cell over the columns below its rule', async () => {
    const content = [
      write(210, 714, 'Sold in the year'),
      write(400, 714, 'Now'),
      line(195, 711, 330, 711),
      ...rowsAt([60, 200, 300, 400], 700, 14, [
        ['Region', '2023', '2024', 'Stock'],
        ['North', '12', '14', '4'],
        ['South', '9', '11', '5'],
        ['West', '3', '5', '6'],
      ]),
    ]
    const { elements } = await readBytes(parse, 'pdf', buildPdf([{ width: 600, height: 800, content }]))
    const head = elements.flatMap(({ cells = [] }) => cells).filter(({ row }) => row === 0)
    expect(head.map(({ column, columnSpan, text }) => [column, columnSpan, text])).toEqual([
      [1, 2, 'Sold in the year'],
      [3, undefined, 'Now'],
    ])
  })

  it('splits tables side by side that have their own captions', async () => {
    const [left, right] = [
      [
        ['Region', 'Sold', 'Left'],
        ['North', '12', '14'],
        ['South', '9', '11'],
        ['West', '3', '5'],
      ],
      [
        ['Item', 'Price', 'Tax'],
        ['Bread', '2.10', '0.10'],
        ['Milk', '1.20', '0.05'],
        ['Salt', '0.80', '0.04'],
      ],
    ]
    const content = [
      write(60, 720, 'Table 1. Sales'),
      write(340, 720, 'Table 2. Prices'),
      ...rowsAt([60, 120, 170], 700, 14, left),
      ...rowsAt([340, 400, 450], 700, 14, right),
    ]
    expect(await tables(content)).toEqual([left, right])
  })
})

describe('reports in a fixed-pitch font', () => {
  const report = (lines: string[]) =>
    tables(lines.map((text, at) => write(60, 700 - at * 11, text, { font: 'mono', size: 9 })))

  it('splits columns one character apart below a line of dashes', async () => {
    const lines = [
      'ITEM       CODE UNITS',
      '---------- ---- -----',
      'Water      A-10   120',
      'Bread rye  B-22  4170',
      'Salt       A-11    12',
    ]
    expect(await report(lines)).toEqual([
      [
        ['ITEM', 'CODE', 'UNITS'],
        ['Water', 'A-10', '120'],
        ['Bread rye', 'B-22', '4170'],
        ['Salt', 'A-11', '12'],
      ],
    ])
  })

  it('splits numbers one character apart, but not the digit groups of a number', async () => {
    const lines = [
      'North   12 345  1200 4170',
      'South    9 120   800  120',
      'West   111 999    12   12',
      'East     1 234 10000    1',
    ]
    expect(await report(lines)).toEqual([
      [
        ['North', '12 345', '1200', '4170'],
        ['South', '9 120', '800', '120'],
        ['West', '111 999', '12', '12'],
        ['East', '1 234', '10000', '1'],
      ],
    ])
  })

  it('joins a row that a page break splits, with or without a repeated head', async () => {
    const rows = (from: number) =>
      Array.from({ length: 4 }, (_, at) => [`${from + at}`, `Part ${from + at}`, 'Team A', `${at}3.50`])
    const head = ['No', 'Item', 'Owner', 'Amount']
    const broken = ['5', 'Replacement of the main', 'Team Q', '99.00']
    const read = async (again: string[][]) => {
      const xs = [60, 120, 300, 450]
      const first = rowsAt(xs, 140, 18, [head, ...rows(1), broken])
      const second = [
        ...rowsAt(xs, 740, 18, again),
        write(120, 740 - 18 * again.length, 'pump and its valves'),
        ...rowsAt(xs, 722 - 18 * again.length, 18, rows(6)),
      ]
      const pages = [first, second].map((content) => ({ width: 600, height: 800, content }))
      const { elements } = await readBytes(parse, 'pdf', buildPdf(pages))
      return elements.map(({ cells, text }) => (cells ? gridOf(cells) : text))
    }
    const whole = [head, ...rows(1), ['5', 'Replacement of the main pump and its valves', 'Team Q', '99.00']]
    expect(await read([head])).toEqual([[...whole, ...rows(6)]])
    expect(await read([])).toEqual([[...whole, ...rows(6)]])
  })

  it('joins a cell of many lines that a page break splits', async () => {
    const xs = [60, 120, 420]
    const lines = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => `Line ${from + at} of the long clause of this contract`)
    const first = [
      ...rowsAt(xs, 400, 30, [
        ['No', 'Clause', 'Owner'],
        ['1', 'A short clause', 'Ada'],
        ['2', 'Line 0 of the long clause of this contract', 'Ben'],
      ]),
      ...lines(1, 20).map((text, at) => write(120, 328 - 12 * at, text)),
    ]
    const second = [
      ...rowsAt(xs, 740, 30, [['No', 'Clause', 'Owner']]),
      ...lines(21, 5).map((text, at) => write(120, 716 - 12 * at, text)),
      ...rowsAt(xs, 640, 30, [
        ['3', 'Another clause', 'Eve'],
        ['4', 'The last clause', 'Dan'],
      ]),
    ]
    const pages = [first, second].map((content) => ({ width: 600, height: 800, content }))
    const { elements } = await readBytes(parse, 'pdf', buildPdf(pages))
    expect(elements.map(({ cells, text }) => (cells ? gridOf(cells) : text))).toEqual([
      [
        ['No', 'Clause', 'Owner'],
        ['1', 'A short clause', 'Ada'],
        ['2', lines(0, 26).join(' '), 'Ben'],
        ['3', 'Another clause', 'Eve'],
        ['4', 'The last clause', 'Dan'],
      ],
    ])
  })

  it('reads numbered labels and their values as a table', async () => {
    const rows = [
      ['1. Name of the company', 'Atrium Works'],
      ['2. Registered office', 'Dijon, France'],
      ['3. Share capital', '40,000 euros'],
      ['4. Managing director', 'Ada Renard'],
    ]
    expect(await tables(rowsAt([60, 300], 700, 16, rows))).toEqual([rows])
  })
})
