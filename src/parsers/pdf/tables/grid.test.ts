import { expect, test } from 'vitest'
import { buildPdf, line, type PdfPage, write } from '#tests/pdf.ts'
import { readBytes } from '#tests/reading.ts'
import { gridOf } from '../../elements/table.ts'
import { parse } from '../parse.ts'

const readPages = (pages: string[][]) =>
  readBytes(parse, 'pdf', buildPdf(pages.map((content): PdfPage => ({ width: 600, height: 800, content }))))
const read = (content: string[]) => readPages([content])
const tables = async (content: string[]) =>
  (await read(content)).elements.flatMap(({ cells }) => (cells ? [gridOf(cells)] : []))

/** A filled area, from its lower left corner. */
const area = (x: number, y: number, width: number, height: number) =>
  `0.9 g ${x} ${y} ${width} ${height} re f 0 g`
/** The lines of a grid. */
const grid = (xs: number[], ys: number[]) => [
  ...xs.map((x) => line(x, ys[0] ?? 0, x, ys.at(-1) ?? 0)),
  ...ys.map((y) => line(xs[0] ?? 0, y, xs.at(-1) ?? 0, y)),
]

test('reads rows without lines between coloured rows into the same columns', async () => {
  const row = (y: number, texts: string[]) => texts.map((text, at) => write(105 + at * 100, y, text))
  const coloured = (y: number) => [0, 1, 2].map((at) => area(100 + at * 100, y, 100, 20))
  const content = [
    ...[700, 660, 620].flatMap(coloured),
    line(100, 720, 100, 620),
    ...row(706, ['Region', '2023', '2024']),
    ...row(686, ['North', '12', '14']),
    ...row(666, ['South', '9', '11']),
    ...row(646, ['West', '3', '5']),
    ...row(626, ['East', '1', '2']),
  ]
  expect(await tables(content)).toEqual([
    [
      ['Region', '2023', '2024'],
      ['North', '12', '14'],
      ['South', '9', '11'],
      ['West', '3', '5'],
      ['East', '1', '2'],
    ],
  ])
})

test('does not use coloured backgrounds of cell text as lines', async () => {
  const content = [
    ...grid([100, 300, 500], [700, 660, 620]),
    ...[680, 664, 640, 624].map((y) => area(106, y, 194, 16)),
    ...[680, 664, 640, 624].map((y) => area(306, y, 194, 16)),
    ...['Name of', 'a region'].map((text, at) => write(110, 684 - 16 * at, text)),
    ...['Number of', 'people'].map((text, at) => write(310, 684 - 16 * at, text)),
    write(110, 644, 'North'),
    write(310, 644, '1,204'),
  ]
  expect(await tables(content)).toEqual([
    [
      ['Name of a region', 'Number of people'],
      ['North', '1,204'],
    ],
  ])
})

test('does not read a frame around one row as a table, and returns its text once', async () => {
  const { elements, markdown } = await read([
    ...grid([100, 300, 500], [700, 640]),
    area(106, 640, 180, 30),
    write(110, 650, 'A name'),
    write(310, 650, 'A thing'),
  ])
  expect(elements.map(({ type }) => type)).not.toContain('Table')
  expect(markdown.match(/A name/g)).toHaveLength(1)
})

test('detects the table inside a frame around a form', async () => {
  const rows = [
    ['Parts', '10', '2,100'],
    ['Body work', '2', '300'],
    ['Paint', '1', '225'],
    ['Total', '13', '2,625'],
  ]
  const content = [
    ...grid([80, 520], [760, 500]),
    ...grid([80, 300, 520], [760, 740]),
    write(85, 746, 'Order No. 7'),
    write(305, 746, 'Made out today'),
    ...rows.flatMap((row, at) => row.map((text, column) => write(130 + column * 120, 700 - at * 14, text))),
  ]
  expect((await tables(content)).at(-1)).toEqual(rows)
})

test('splits cells into rows at empty lines, and joins closely spaced lines', async () => {
  const content = [
    ...grid([100, 200, 350, 500], [700, 680, 560]),
    ...['Source', 'Meaning', 'Example'].map((text, at) => write(105 + [0, 100, 250][at]!, 686, text)),
    write(105, 660, 'Large'),
    write(205, 660, 'Ten tons a year or'),
    write(205, 648, 'more of one kind'),
    write(355, 660, 'Mills, refineries'),
    write(355, 648, 'and plants'),
    write(105, 620, 'Small'),
    write(205, 620, 'Less than ten tons'),
    write(205, 608, 'a year'),
    write(355, 620, 'Shops, offices'),
    write(355, 608, 'and homes'),
  ]
  expect(await tables(content)).toEqual([
    [
      ['Source', 'Meaning', 'Example'],
      ['Large', 'Ten tons a year or more of one kind', 'Mills, refineries and plants'],
      ['Small', 'Less than ten tons a year', 'Shops, offices and homes'],
    ],
  ])
})

/** A framed table of two columns with its top edge at this height. */
const framed = (top: number, rows: string[][]) => [
  ...grid([100, 300, 500], rows.map((_, at) => top - at * 20).concat(top - rows.length * 20)),
  ...rows.flatMap((row, at) =>
    row.map((text, column) => write(105 + column * 200, top - 14 - at * 20, text)),
  ),
]
const head = ['Region', 'Sales']

test('joins a table that continues on the next page, without the repeated head and with boxes on both pages', async () => {
  const { elements } = await readPages([
    [write(60, 770, 'Report'), ...framed(260, [head, ['North', '12'], ['South', '9']]), write(300, 30, '1')],
    [
      ...framed(780, [head, ['West', '3'], ['East', '1']]),
      write(60, 600, 'All regions.'),
      write(300, 30, '2'),
    ],
  ])
  const found = elements.filter(({ type }) => type === 'Table')
  expect(found.map(({ cells = [] }) => gridOf(cells))).toEqual([
    [head, ['North', '12'], ['South', '9'], ['West', '3'], ['East', '1']],
  ])
  expect(found[0]?.place?.boxes?.map(({ page }) => page)).toEqual([1, 2])
  const east = found[0]?.cells?.find(({ text }) => text === 'East')
  expect(east?.box).toMatchObject({
    page: 2,
    box: [expect.closeTo(1 / 6, 2), 0.075, 0.5, 0.1],
  })
})

test('does not join tables if text is between them or their columns differ', async () => {
  const first = framed(260, [head, ['North', '12'], ['South', '9']])
  const apart = await readPages([
    first,
    [write(60, 780, 'Something else altogether.'), ...framed(740, [head, ['West', '3'], ['East', '1']])],
  ])
  expect(apart.elements.filter(({ type }) => type === 'Table')).toHaveLength(2)
  const other = [
    ...grid([100, 200, 500], [780, 760, 740]),
    ...['Name', 'Ada', 'Born', '1815'].map((text, at) =>
      write(105 + 100 * (at >> 1), 766 - 20 * (at % 2), text),
    ),
  ]
  const different = await readPages([first, other])
  expect(different.elements.filter(({ type }) => type === 'Table')).toHaveLength(2)
})

test('joins a row that a page break splits, and removes repeated heads', async () => {
  const upright = (from: number, to: number) => [100, 200, 500].map((x) => line(x, from, x, to))
  const head = (y: number) => [write(105, y, 'No'), write(205, y, 'Clause')]
  const first = [
    ...grid([100, 200, 500], [200, 180, 160, 140]),
    ...upright(140, 60),
    ...head(186),
    ...[write(105, 166, '1'), write(205, 166, 'Short')],
    ...head(146),
    ...[write(105, 126, '2'), write(205, 126, 'Begins here')],
    ...[write(205, 112, 'and fills'), write(205, 98, 'the page')],
  ]
  const second = [
    ...grid([100, 200, 500], [760, 740]),
    ...upright(740, 700),
    line(100, 700, 500, 700),
    ...grid([100, 200, 500], [700, 680]),
    ...head(746),
    write(205, 726, 'to end there.'),
    ...[write(105, 686, '3'), write(205, 686, 'Last')],
  ]
  const { elements } = await readPages([first, second])
  expect(elements.flatMap(({ cells }) => (cells ? [gridOf(cells)] : []))).toEqual([
    [
      ['No', 'Clause'],
      ['1', 'Short'],
      ['2', 'Begins here and fills the page to end there.'],
      ['3', 'Last'],
    ],
  ])
})
