import { expect, test } from 'vitest'
import { buildPdf, line, type PdfPage, write } from '#tests/pdf.ts'
import { readBytes } from '#tests/reading.ts'
import { gridOf } from '../elements/table.ts'
import { parse } from './parse.ts'

const read = (pages: PdfPage[], outline: { title: string; page: number }[] = []) =>
  readBytes(parse, 'pdf', buildPdf(pages, outline))

const prose = 'Plain text that goes on for a while, so that it is the text of the page.'
const body = (from: number, lines: number) =>
  Array.from({ length: lines }, (_, at) => write(60, from - at * 12, prose))

test('detects titles by size, bold font or outline, and their levels by size and number', async () => {
  const { elements } = await read(
    [
      {
        content: [
          write(60, 780, 'Annual report', { size: 20 }),
          ...body(740, 4),
          write(60, 670, '1.2 Costs', { font: 'bold' }),
          ...body(650, 4),
          write(60, 580, 'Outlook'),
          ...body(560, 4),
          write(60, 490, 'Thanks to all of them.', { font: 'bold' }),
        ],
      },
    ],
    [{ title: 'Outlook', page: 1 }],
  )
  const titles = elements.filter(({ type }) => type === 'Title')
  expect(titles.map(({ text, level }) => [text, level])).toEqual([
    ['Annual report', 1],
    ['1.2 Costs', 3],
    ['Outlook', 2],
  ])
})

test('detects a bold title although the labels of the table below it are bold', async () => {
  const rows = ['Name of the standard', 'Number of the standard', 'Who published it', 'Since when']
  const table = rows.flatMap((label, at) => [
    write(60, 700 - at * 20, label, { font: 'bold' }),
    write(300, 700 - at * 20, `value ${at}`),
    line(50, 715 - at * 20, 500, 715 - at * 20),
  ])
  const frame = [
    line(50, 715, 50, 635),
    line(280, 715, 280, 635),
    line(500, 715, 500, 635),
    line(50, 635, 500, 635),
  ]
  const { elements } = await read([
    { content: [write(60, 740, '5-2- Standards', { font: 'bold' }), ...table, ...frame] },
  ])
  expect(elements.map(({ type, text, level }) => [type, level, text.split('\n')[0]])).toEqual([
    ['Title', 3, '5-2- Standards'],
    ['Table', undefined, 'Name of the standard\tvalue 0'],
  ])
})

test('excludes page numbers and text repeated at page edges from the Markdown', async () => {
  const pages = [1, 2, 3].map((number) => ({
    content: [write(60, 810, `Report of ACME, part ${number}`), ...body(700, 5), write(290, 30, `${number}`)],
  }))
  const { elements, markdown } = await read(pages)
  expect(elements.filter(({ type }) => type === 'Header').map(({ text }) => text)).toEqual([
    'Report of ACME, part 1',
    'Report of ACME, part 2',
    'Report of ACME, part 3',
  ])
  expect(elements.filter(({ type }) => type === 'Footer').map(({ text }) => text)).toEqual(['1', '2', '3'])
  expect(markdown).not.toContain('ACME')
})

test('detects list items, captions and code by their appearance', async () => {
  const { elements } = await read([
    {
      content: [
        ...body(740, 4),
        write(60, 670, '\u0095 apples'),
        write(60, 658, '\u0095 pears'),
        write(60, 630, '1. first'),
        write(60, 618, '2. second'),
        write(60, 590, 'if (ready) {', { font: 'mono' }),
        write(72, 578, 'go()', { font: 'mono' }),
        write(60, 566, '}', { font: 'mono' }),
        write(60, 540, 'Figure 3: How it grew'),
      ],
    },
  ])
  const found = elements.slice(1).map(({ type, text }) => [type, text])
  expect(found).toEqual([
    ['ListItem', 'apples'],
    ['ListItem', 'pears'],
    ['ListItem', '1. first'],
    ['ListItem', '2. second'],
    ['CodeSnippet', 'if (ready) {\n  go()\n}'],
    ['NarrativeText', 'Figure 3: How it grew'],
  ])
  expect(elements.at(-1)?.extra).toEqual({ caption: true })
})

test('derives list levels from indents, across pages and in right-to-left text', async () => {
  const item = (x: number, y: number, text: string) => write(x, y, `\u0095 ${text}`)
  const deeper = [...'• ثانيا'].reverse().join('')
  const outer = [...'• أولا'].reverse().join('')
  const { elements } = await read([
    {
      content: [
        write(60, 720, prose),
        item(60, 700, 'fruit'),
        item(80, 688, 'apples'),
        item(100, 676, 'red ones'),
        item(60, 664, 'bread'),
        item(80, 652, 'white bread'),
      ],
    },
    { content: [item(80, 780, 'brown bread'), item(60, 768, 'milk'), ...body(740, 4)] },
    {
      content: [
        write(500 - outer.length * 5, 700, outer, { font: 'any' }),
        write(480 - deeper.length * 5, 680, deeper, { font: 'any' }),
      ],
    },
  ])
  const items = elements.filter(({ type }) => type === 'ListItem')
  expect(items.map(({ text, level }) => [text, level])).toEqual([
    ['fruit', 0],
    ['apples', 1],
    ['red ones', 2],
    ['bread', 0],
    ['white bread', 1],
    ['brown bread', 1],
    ['milk', 0],
    ['أولا', 0],
    ['ثانيا', 1],
  ])
})

test('returns the cells of a ruled table with their boxes and spans', async () => {
  const lines = [
    line(100, 700, 400, 700),
    line(100, 680, 400, 680),
    line(100, 660, 400, 660),
    line(100, 640, 400, 640),
    line(100, 700, 100, 640),
    line(200, 680, 200, 640),
    line(300, 680, 300, 640),
    line(400, 700, 400, 640),
  ]
  const content = [
    ...lines,
    write(210, 686, 'Sales'),
    ...['North', '12', '14'].map((text, at) => write(105 + at * 100, 666, text)),
    ...['South', '9', '11'].map((text, at) => write(105 + at * 100, 646, text)),
  ]
  const { elements } = await read([{ width: 600, height: 800, content }])
  expect(elements.map(({ type }) => type)).toEqual(['Table'])
  const cells = elements[0]?.cells ?? []
  expect(gridOf(cells)).toEqual([
    ['Sales', '', ''],
    ['North', '12', '14'],
    ['South', '9', '11'],
  ])
  expect(cells[0]).toMatchObject({ columnSpan: 3, isHeader: true })
  expect(cells.find(({ text }) => text === '14')?.box).toEqual({
    page: 1,
    box: [300 / 600, 120 / 800, 400 / 600, 140 / 800].map((value) => expect.closeTo(value, 2)),
  })
})

test('detects the columns of a table without lines, and joins a label of two lines into one cell', async () => {
  const rows = [
    ['Region', '2023', '2024'],
    ['North', '1,204', '1,310'],
    ['South and all that', '', ''],
    ['lies beyond', '980', '1,002'],
    ['West', '77', '81'],
  ]
  const content = rows.flatMap((row, at) =>
    row.flatMap((text, column) => (text ? [write(100 + column * 120, 700 - at * 12, text)] : [])),
  )
  const { elements } = await read([{ content: [...content, ...body(600, 4)] }])
  expect(elements.map(({ type }) => type)).toEqual(['Table', 'NarrativeText'])
  expect(gridOf(elements[0]?.cells ?? [])).toEqual([
    ['Region', '2023', '2024'],
    ['North', '1,204', '1,310'],
    ['South and all that lies beyond', '980', '1,002'],
    ['West', '77', '81'],
  ])
})

test('reads bullets separated from their text as list items in two columns', async () => {
  const item = (x: number, y: number, text: string) => [write(x, y, '\u0095'), write(x + 14, y, text)]
  const longer = (text: string) => `${text} in every court of the region`
  const left = ['appoint lawyers', 'train the staff', 'answer questions', 'keep the records'].map(longer)
  const right = ['pay the costs', 'inform the court', 'hear witnesses', 'close the case'].map(longer)
  const { elements } = await read([
    {
      content: [
        ...left.flatMap((text, at) => item(60, 700 - at * 14, text)),
        ...right.flatMap((text, at) => item(330, 700 - at * 14, text)),
      ],
    },
  ])
  expect(elements.map(({ type, text }) => [type, text])).toEqual(
    [...left, ...right].map((text) => ['ListItem', text]),
  )
})

test.each(['Página 1 de 2', 'Pagina 1', 'Strona 1 z 2', 'Sida 1', 'Sayfa 1', 'S. 1'])(
  'reads %s at the bottom of a single page as its footer',
  async (number) => {
    const { elements } = await read([{ content: [...body(740, 4), write(280, 30, number)] }])
    expect(elements.map(({ type, text }) => [type, text]).at(-1)).toEqual(['Footer', number])
  },
)

test.each([
  ['dashes', () => '-'],
  ['numbers', (item: number) => `${item}.`],
])('reads %s separated from their text as list items in one or two columns', async (_, mark) => {
  const items = (x: number, from: number) =>
    [0, 1, 2, 3].flatMap((at) => [
      write(x, 700 - at * 26, mark(from + at)),
      write(x + 14, 700 - at * 26, `Step ${from + at} about the work of`),
      write(x + 14, 688 - at * 26, 'the office in the north'),
    ])
  for (const content of [items(50, 1), [...items(50, 1), ...items(310, 5)]]) {
    const { elements } = await read([{ content }])
    expect(elements.map(({ type, text }) => [type, text.replace(/^\d\. /, '')])).toEqual(
      Array.from({ length: content.length / 3 }, (_, at) => [
        'ListItem',
        `Step ${at + 1} about the work of the office in the north`,
      ]),
    )
  }
})

test('reads three columns of two or three lines one after another', async () => {
  const columns = [
    ['The committee reviewed the', 'annual report of the office', 'that was written last year'],
    ['and approved the budget for', 'the coming fiscal year with', 'all of its annexes by the'],
    ['nine votes to two before the', 'end of the spring session.'],
  ]
  const content = columns.flatMap((lines, at) =>
    lines.map((text, row) => write(60 + 170 * at, 700 - 14 * row, text)),
  )
  const { elements } = await read([{ content }])
  expect(elements.map(({ text }) => text)).toEqual(columns.map((lines) => lines.join(' ')))
})

test('reads two columns of two lines one after another if their sentences continue', async () => {
  const { elements } = await read([
    {
      content: [
        ...[
          write(60, 700, 'The committee reviewed the annual'),
          write(330, 700, 'approved the budget for the'),
        ],
        ...[write(60, 686, 'report and'), write(330, 686, 'coming fiscal year.')],
      ],
    },
  ])
  expect(elements.map(({ text }) => text)).toEqual([
    'The committee reviewed the annual report and',
    'approved the budget for the coming fiscal year.',
  ])
})

test('assigns the same level to headings of the same style, from 2 for sections', async () => {
  const { elements } = await read([
    {
      content: [
        ...[write(60, 790, '1 Scope', { size: 14 }), ...body(770, 3)],
        ...[write(60, 720, '1.1 Terms', { size: 12 }), ...body(700, 3)],
        ...[write(60, 650, 'Exceptions', { size: 12 }), ...body(630, 3)],
        ...[write(60, 580, 'Annexes', { size: 14 }), ...body(560, 3)],
      ],
    },
  ])
  const titles = elements.filter(({ type }) => type === 'Title')
  expect(titles.map(({ text, level }) => [text, level])).toEqual([
    ['1 Scope', 2],
    ['1.1 Terms', 3],
    ['Exceptions', 3],
    ['Annexes', 2],
  ])
})
