import {
  AlignmentType,
  BorderStyle,
  Document,
  ExternalHyperlink,
  Footer,
  HeadingLevel,
  type INumberingOptions,
  type IParagraphOptions,
  LevelFormat,
  Packer,
  PageNumber,
  Paragraph,
  ShadingType,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx'
import { directionOf, directionOfBlock, directionOfInlines } from '#shared/platform/markdown/direction.ts'
import type { Block, Inline, ListBlock, TableBlock } from '#shared/platform/markdown/tree.ts'
import type { ChatDocument, Entry, Part } from '../chat/chat-document.ts'
import { type InlinePlace, pictureOf, runsOf } from './docx/inline-runs.ts'
import { bidiOf, type Style, textRuns } from './docx/text-runs.ts'
import { safeLink } from './links.ts'
import { mathFormulas } from './math/math-word.ts'
import { describeNote } from './note-words.ts'

type Place = InlinePlace & { indent: number; level: number; starts: Set<number> }

const MONO = 'Consolas'
/** In twentieths of a point. */
const INDENT = 360
const headings = [
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
]

/** Writes a chat as a Word document with real headings, lists, tables and footnotes. */
export async function writeDocx(
  document: ChatDocument,
  onDone: (share: number) => void = () => undefined,
): Promise<Uint8Array> {
  const starts = new Set([1])
  const place: Place = { document, told: new Set(), base: null, indent: 0, level: 0, starts }
  const total = document.chapters.reduce((sum, { entries }) => sum + entries.length, 0)
  const children: (Paragraph | Table)[] = [
    wordsOf(document.title, { heading: HeadingLevel.TITLE }),
    wordsOf(document.byline, { style: 'Quiet' }),
  ]
  let done = 0
  for (const { title, entries } of document.chapters) {
    if (title !== null) children.push(wordsOf(title, { heading: HeadingLevel.HEADING_1 }))
    for (const entry of entries) {
      children.push(...entryOf(entry, place))
      onDone((++done / total) * 0.5)
    }
  }
  const file = new Document({
    ...{ title: document.title, creator: document.author, numbering: numberingOf(starts), styles },
    footnotes: Object.fromEntries(
      document.notes.map((note) => [String(note.number), { children: [noteOf(note, document)] }]),
    ),
    sections: [{ children, footers: { default: pageFooter() } }],
  })
  return Packer.toBuffer(file)
}

function entryOf({ author, time, parts }: Entry, place: Place): (Paragraph | Table)[] {
  const head = new Paragraph({
    heading: HeadingLevel.HEADING_2,
    keepNext: true,
    children: [...textRuns(author, null), new TextRun({ text: `   ${time}`, style: 'Moment' })],
  })
  return [head, ...parts.flatMap((part) => partOf(part, place))]
}

function partOf(part: Part, place: Place): (Paragraph | Table)[] {
  switch (part.kind) {
    case 'text':
      return part.blocks.flatMap((block) => blockOf(block, place))
    case 'steps':
      return part.lines.map((text) => wordsOf(text, { style: 'Quiet' }))
    case 'picture':
      return [new Paragraph({ children: [pictureOf(place.document, part.address, part.alt)] })]
    case 'notice':
      return [wordsOf(part.text, {}, { italics: true })]
    default:
      return part satisfies never
  }
}

function blockOf(block: Block, place: Place): (Paragraph | Table)[] {
  const indent = { left: place.indent }
  switch (block.type) {
    case 'paragraph':
      return [new Paragraph({ indent, ...inlinesOf(block.children, place) })]
    case 'heading':
      return [
        new Paragraph({
          heading: headings[Math.min(block.level, headings.length) - 1] ?? HeadingLevel.HEADING_6,
          ...{ indent, keepNext: true, ...inlinesOf(block.children, place) },
        }),
      ]
    case 'code':
    case 'html':
    case 'plain':
      return [codeOf(block.text, place)]
    case 'math': {
      const lines = mathFormulas(block.tex, true)?.map((line) => new Paragraph({ indent, children: [line] }))
      return lines ?? [codeOf(block.tex, place)]
    }
    case 'list':
      return listOf(block, place)
    case 'quote': {
      const base = directionOfBlock(block) ?? place.base
      return block.children.flatMap((child) =>
        blockOf(child, { ...place, base, indent: place.indent + INDENT }),
      )
    }
    case 'table':
      // Adjacent tables would merge without a paragraph between them.
      return [tableOf(block, place), new Paragraph({ text: '' })]
    case 'rule':
      return [new Paragraph({ thematicBreak: true })]
    case 'footnotes':
      return block.items.flatMap(({ number, children }) => [
        new Paragraph({ style: 'Quiet', text: `(${number})` }),
        ...children.flatMap((child) => blockOf(child, { ...place, indent: place.indent + INDENT })),
      ])
    default:
      return block satisfies never
  }
}

function listOf(list: ListBlock, around: Place): (Paragraph | Table)[] {
  const place = { ...around, base: directionOfBlock(list) ?? around.base }
  const start = Math.min(Math.max(list.start, 0), 9_999)
  place.starts.add(start)
  const instance = ++instances
  return list.items.flatMap(({ checked, children }) => {
    const [first, ...rest] = children
    const inner = { ...place, indent: place.indent + INDENT, level: Math.min(place.level + 1, 8) }
    const box = checked === null ? [] : [new TextRun(checked ? '☒ ' : '☐ ')]
    const numbering = {
      ...{ level: place.level, instance },
      reference: list.ordered ? `ordered-${start}` : 'bullets',
    }
    const { children: runs, ...direction } = inlinesOf(
      first?.type === 'paragraph' ? first.children : [],
      place,
    )
    const others = first?.type === 'paragraph' ? rest : children
    return [
      new Paragraph({ numbering, ...direction, children: [...box, ...runs] }),
      ...others.flatMap((child) => blockOf(child, inner)),
    ]
  })
}
let instances = 0

/** Returns inline content with the direction of its first letter, else that of the blocks around it. */
function inlinesOf(nodes: Inline[], place: Place, style: Style = {}) {
  const base = directionOfInlines(nodes) ?? place.base
  return { ...bidiOf(base), children: runsOf(nodes, { ...place, base }, style) }
}

/** Returns a text without formatting as a paragraph. */
function wordsOf(text: string, options: IParagraphOptions, style: Style = {}): Paragraph {
  const base = directionOf(text)
  return new Paragraph({ ...options, ...bidiOf(base), children: textRuns(text, base, style) })
}

function tableOf(table: TableBlock, around: Place): Table {
  const { head, rows, align } = table
  const place = { ...around, base: directionOfBlock(table) }
  const alignments = { left: AlignmentType.LEFT, right: AlignmentType.RIGHT, center: AlignmentType.CENTER }
  const row = (cells: Inline[][], isHead: boolean) =>
    new TableRow({
      tableHeader: isHead,
      cantSplit: cells.length < 20,
      children: head.map((_, at) => {
        const side = align[at]
        const content = inlinesOf(cells[at] ?? [], place, isHead ? { bold: true } : {})
        return new TableCell({
          margins: { top: 60, bottom: 60, left: 100, right: 100 },
          children: [
            new Paragraph({ style: 'Cell', ...(side && { alignment: alignments[side] }), ...content }),
          ],
        })
      }),
    })
  const line = { style: BorderStyle.SINGLE, size: 4, color: 'D0D0CC' }
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    visuallyRightToLeft: place.base === 'rtl',
    borders: {
      ...{ top: line, bottom: line, insideHorizontal: line },
      ...{ left: nothing, right: nothing, insideVertical: nothing },
    },
    rows: [row(head, true), ...rows.map((cells) => row(cells, false))],
  })
}
const nothing = { style: BorderStyle.NONE, size: 0, color: 'FFFFFF' }

function codeOf(text: string, place: Place): Paragraph {
  const lines = text.split('\n')
  return new Paragraph({
    ...{ style: 'Code', indent: { left: place.indent } },
    children: lines.map((line, at) => new TextRun({ text: line, ...(at > 0 && { break: 1 }) })),
  })
}

function noteOf(note: ChatDocument['notes'][number], { language }: ChatDocument): Paragraph {
  const { lead, rest } = describeNote(note, language)
  const link = safeLink(note.url)
  const title = textRuns(lead, null, link ? { style: 'Hyperlink' } : {})
  return new Paragraph({
    children: [
      new TextRun(' '),
      ...(link ? [new ExternalHyperlink({ link, children: title })] : title),
      ...textRuns(rest, null),
    ],
  })
}

function numberingOf(starts: Set<number>): INumberingOptions {
  const levels = (
    format: (typeof LevelFormat)[keyof typeof LevelFormat],
    text: (level: number) => string,
    start: number,
  ) =>
    Array.from({ length: 9 }, (_, level) => ({
      ...{ level, format, start, text: text(level), alignment: AlignmentType.LEFT },
      style: { paragraph: { indent: { left: INDENT * (level + 1), hanging: INDENT } } },
    }))
  return {
    config: [
      { reference: 'bullets', levels: levels(LevelFormat.BULLET, (level) => '•◦▪'[level % 3] ?? '•', 1) },
      ...[...starts].map((start) => ({
        reference: `ordered-${start}`,
        levels: levels(LevelFormat.DECIMAL, (level) => `%${level + 1}.`, start),
      })),
    ],
  }
}

const pageFooter = () =>
  new Footer({
    children: [
      new Paragraph({
        alignment: AlignmentType.CENTER,
        children: [
          new TextRun({ style: 'Moment', children: [PageNumber.CURRENT, ' / ', PageNumber.TOTAL_PAGES] }),
        ],
      }),
    ],
  })

const heading = (size: number, before: number) => ({
  run: { size, bold: true, color: '1C1B22' },
  paragraph: { spacing: { before, after: 80 } },
})
/** Sizes in half-points. */
const styles = {
  default: {
    document: { run: { font: 'Inter', size: 21 }, paragraph: { spacing: { after: 120, line: 288 } } },
    title: { run: { size: 36, bold: true }, paragraph: { spacing: { after: 60 } } },
    ...{ heading1: heading(30, 360), heading2: heading(22, 320), heading3: heading(26, 200) },
    ...{ heading4: heading(24, 180), heading5: heading(22, 160), heading6: heading(21, 160) },
    hyperlink: { run: { color: '2B59C3', underline: {} } },
    footnoteText: { run: { size: 17, color: '4A4954' } },
  },
  paragraphStyles: [
    {
      id: 'Quiet',
      name: 'Quiet',
      basedOn: 'Normal',
      run: { size: 18, color: '6B6A75' },
      paragraph: { spacing: { after: 40 } },
    },
    {
      id: 'Cell',
      name: 'Cell',
      basedOn: 'Normal',
      run: { size: 18 },
      paragraph: { spacing: { after: 0, line: 240 } },
    },
    {
      ...{ id: 'Code', name: 'Code', basedOn: 'Normal', run: { font: MONO, size: 18 } },
      paragraph: {
        spacing: { before: 80, after: 160, line: 252 },
        shading: { type: ShadingType.CLEAR, fill: 'F4F3F0', color: 'auto' },
      },
    },
  ],
  characterStyles: [
    { id: 'CodeWords', name: 'Code words', run: { font: MONO, size: 19 } },
    { id: 'Moment', name: 'Moment', run: { size: 17, bold: false, color: '6B6A75' } },
  ],
}
