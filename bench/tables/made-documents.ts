import { drawReport } from './draw-report.ts'
import {
  drawTable,
  finish,
  makeStyle,
  openPage,
  PAGE,
  type Style,
  writeProse,
  writeTitle,
} from './draw-table.ts'
import {
  between,
  type Cell,
  createRandom,
  type MadeTable,
  makeRecipe,
  makeTable,
  pick,
  type Random,
  type Recipe,
} from './made-table.ts'
import { toHtml } from './to-html.ts'

/** A document with labelled tables. LibreOffice converts `html` to PDF. */
export type MadeDocument = {
  name: string
  kind: Kind
  /** True if it belongs to the held-out third, which stays unread while the parser is tuned. */
  isUnseen: boolean
  truth: Cell[][]
  content: { pdf: Buffer } | { html: string }
}

export type Kind = keyof typeof counts

/** Number of documents of each kind. */
const counts = {
  plain: 84,
  report: 45,
  money: 30,
  words: 33,
  pair: 24,
  column: 24,
  long: 21,
  groups: 30,
  office: 48,
}

/** Generates the documents. Every call returns the same ones. */
export async function makeDocuments(): Promise<MadeDocument[]> {
  const made: MadeDocument[] = []
  let seed = 0
  for (const [kind, count] of Object.entries(counts) as [Kind, number][]) {
    for (let at = 0; at < count; at++) {
      const isUnseen = at % 3 === 2
      const random = createRandom(++seed)
      const { tables, content } = await makeOne(kind, random, isUnseen)
      made.push({ name: `${kind}-${at}`, kind, isUnseen, truth: tables.map(({ cells }) => cells), content })
    }
  }
  return made
}

type One = { tables: MadeTable[]; content: MadeDocument['content'] }

function makeOne(kind: Kind, random: Random, isUnseen: boolean): Promise<One> {
  // Held-out documents also use font sizes and spacings that the others do not have.
  const rare: Partial<Style> = isUnseen
    ? {
        gap: pick(random, [0.8, 1, 1.6, 4]),
        leading: pick(random, [1.1, 1.2, 1.45, 2.3]),
        size: pick(random, [6.5, 8, 9.5, 12]),
      }
    : {}
  const style = (changes: Partial<Style> = {}) => makeStyle(random, { ...rare, ...changes })
  switch (kind) {
    case 'plain':
      return onPage(random, [makeTable(random, makeRecipe(random))], style())
    case 'report':
      return makeReport(random)
    case 'money':
      return onPage(
        random,
        [makeTable(random, makeRecipe(random, { kinds: pick(random, [['money'], ['money', 'percent']]) }))],
        style({ signsApart: true, rules: pick(random, ['none', 'head', 'zebra']) }),
      )
    case 'words':
      return onPage(
        random,
        [makeTable(random, wordy(random))],
        style({
          rules: pick(random, ['none', 'rows', 'grid', 'head']),
          leading: pick(random, [1.6, 2]),
          size: 8,
        }),
      )
    case 'pair':
      return makePair(random, style({ size: 7, gap: 1 }))
    case 'column':
      return makeColumns(random, style({ size: 8, gap: 1 }))
    case 'long':
      return onPage(
        random,
        [makeTable(random, makeRecipe(random, { rows: between(random, 45, 90) }))],
        style(),
      )
    case 'groups':
      return onPage(
        random,
        [makeTable(random, makeRecipe(random, { hasGroups: true, valueColumns: between(random, 3, 6) }))],
        style({ rules: pick(random, ['none', 'rows', 'head', 'grid']) }),
      )
    case 'office': {
      const table = makeTable(random, makeRecipe(random, random() < 0.3 ? wordy(random) : {}))
      return Promise.resolve({ tables: [table], content: { html: toHtml(random, table) } })
    }
    default:
      return kind satisfies never
  }
}

const wordy = (random: Random): Partial<Recipe> & Recipe =>
  makeRecipe(random, {
    rows: between(random, 4, 12),
    valueColumns: between(random, 1, 3),
    kinds: pick(random, [['words'], ['words', 'text'], ['number', 'words']]),
  })

async function onPage(random: Random, tables: MadeTable[], style: Style): Promise<One> {
  const doc = openPage()
  const x = PAGE.margin
  const width = PAGE.width - 2 * PAGE.margin
  let y = writeTitle(doc, random, x, PAGE.margin)
  y = writeProse(doc, random, { x, y, width, words: between(random, 30, 80) })
  for (const table of tables) y = drawTable(doc, table, style, { x, y: y + 8 })
  if (y < PAGE.height - 160) writeProse(doc, random, { x, y: y + 6, width, words: 50 })
  return { tables, content: { pdf: await finish(doc) } }
}

async function makeReport(random: Random): Promise<One> {
  const table = makeTable(random, makeRecipe(random, { valueColumns: between(random, 2, 5) }))
  const doc = openPage()
  const x = PAGE.margin
  doc.font('Courier').fontSize(8)
  const head = ['MONTHLY ACTIVITY REPORT', 'PREPARED BY THE STATISTICS OFFICE', '']
  head.forEach((line, at) => void doc.text(line, x + 120, PAGE.margin + 10 * at, { lineBreak: false }))
  const y = drawReport(doc, random, table, { x, y: PAGE.margin + 36 })
  if (y < PAGE.height - 160)
    doc
      .font('Courier')
      .fontSize(8)
      .text('NOTE: figures are subject to revision.', x, y + 4, { lineBreak: false })
  return { tables: [table], content: { pdf: await finish(doc) } }
}

async function makePair(random: Random, style: Style): Promise<One> {
  const small = () =>
    makeTable(
      random,
      makeRecipe(random, {
        rows: between(random, 5, 14),
        valueColumns: 2,
        hasGroups: false,
        kinds: pick(random, [['number'], ['decimal'], ['money']]),
      }),
    )
  const tables = [small(), small()]
  const doc = openPage()
  const x = PAGE.margin
  let y = writeTitle(doc, random, x, PAGE.margin)
  y = writeProse(doc, random, { x, y, width: PAGE.width - 2 * x, words: 60 })
  const half = (PAGE.width - 2 * x) / 2
  tables.forEach((table, at) => {
    doc
      .font('Helvetica-Bold')
      .fontSize(9)
      .text(`Table ${at + 1}. Overview`, x + at * (half + 24), y, { lineBreak: false })
    drawTable(doc, table, style, { x: x + at * (half + 24), y: y + 16 })
  })
  return { tables, content: { pdf: await finish(doc) } }
}

async function makeColumns(random: Random, style: Style): Promise<One> {
  const table = makeTable(
    random,
    makeRecipe(random, {
      rows: between(random, 5, 12),
      valueColumns: 2,
      hasGroups: false,
      kinds: pick(random, [['number'], ['decimal'], ['year', 'number']]),
    }),
  )
  const doc = openPage()
  const width = 230
  const [left, right] = [PAGE.margin, PAGE.margin + width + 24]
  const side = random() < 0.5 ? left : right
  for (const x of [left, right]) {
    let y = writeProse(doc, random, { x, y: PAGE.margin, width, words: between(random, 60, 120) })
    if (x === side) y = drawTable(doc, table, style, { x, y: y + 6 })
    writeProse(doc, random, { x, y: y + 2, width, words: between(random, 90, 140) })
  }
  return { tables: [table], content: { pdf: await finish(doc) } }
}
