import {
  AlignmentType,
  BorderStyle,
  Document,
  ExternalHyperlink,
  Footer,
  FootnoteReferenceRun,
  HeadingLevel,
  ImageRun,
  type INumberingOptions,
  type IRunOptions,
  LevelFormat,
  Packer,
  PageNumber,
  Paragraph,
  type ParagraphChild,
  ShadingType,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx'
import type { Block, Inline, ListBlock, TableBlock } from '#shared/platform/markdown/tree.ts'
import type { ChatDocument, Entry, Part, Picture } from '../chat/chat-document.ts'
import { safeLink } from './links.ts'
import { describeNote } from './note-words.ts'

type Style = Pick<IRunOptions, 'bold' | 'italics' | 'strike' | 'superScript' | 'subScript' | 'color'> & {
  style?: string
}
type Place = { document: ChatDocument; told: Set<number>; indent: number; level: number; starts: Set<number> }

const MONO = 'Consolas'
/** In twentieths of a point. */
const INDENT = 360
/** Text width of a page in pixels. */
const TEXT_WIDTH = 600
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
  const place: Place = { document, told: new Set(), indent: 0, level: 0, starts }
  const total = document.chapters.reduce((sum, { entries }) => sum + entries.length, 0)
  const children: (Paragraph | Table)[] = [
    new Paragraph({ text: document.title, heading: HeadingLevel.TITLE }),
    new Paragraph({ text: document.byline, style: 'Quiet' }),
  ]
  let done = 0
  for (const { title, entries } of document.chapters) {
    if (title !== null) children.push(new Paragraph({ text: title, heading: HeadingLevel.HEADING_1 }))
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
    children: [new TextRun(author), new TextRun({ text: `   ${time}`, style: 'Moment' })],
  })
  return [head, ...parts.flatMap((part) => partOf(part, place))]
}

function partOf(part: Part, place: Place): (Paragraph | Table)[] {
  switch (part.kind) {
    case 'text':
      return part.blocks.flatMap((block) => blockOf(block, place))
    case 'steps':
      return part.lines.map((text) => new Paragraph({ text, style: 'Quiet' }))
    case 'picture':
      return [new Paragraph({ children: [pictureOf(place.document, part.address, part.alt)] })]
    case 'notice':
      return [new Paragraph({ children: [new TextRun({ text: part.text, italics: true })] })]
    default:
      return part satisfies never
  }
}

function blockOf(block: Block, place: Place): (Paragraph | Table)[] {
  const indent = { left: place.indent }
  switch (block.type) {
    case 'paragraph':
      return [new Paragraph({ indent, children: runsOf(block.children, place) })]
    case 'heading':
      return [
        new Paragraph({
          heading: headings[Math.min(block.level, headings.length) - 1] ?? HeadingLevel.HEADING_6,
          ...{ indent, keepNext: true, children: runsOf(block.children, place) },
        }),
      ]
    case 'code':
    case 'math':
    case 'html':
    case 'plain':
      return [codeOf(block.type === 'math' ? block.tex : block.text, place)]
    case 'list':
      return listOf(block, place)
    case 'quote':
      return block.children.flatMap((child) => blockOf(child, { ...place, indent: place.indent + INDENT }))
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

function listOf(list: ListBlock, place: Place): (Paragraph | Table)[] {
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
    const runs = first?.type === 'paragraph' ? runsOf(first.children, place) : []
    const others = first?.type === 'paragraph' ? rest : children
    return [
      new Paragraph({ numbering, children: [...box, ...runs] }),
      ...others.flatMap((child) => blockOf(child, inner)),
    ]
  })
}
let instances = 0

function tableOf({ head, rows, align }: TableBlock, place: Place): Table {
  const alignments = { left: AlignmentType.LEFT, right: AlignmentType.RIGHT, center: AlignmentType.CENTER }
  const row = (cells: Inline[][], isHead: boolean) =>
    new TableRow({
      tableHeader: isHead,
      cantSplit: cells.length < 20,
      children: head.map((_, at) => {
        const side = align[at]
        const children = runsOf(cells[at] ?? [], place, isHead ? { bold: true } : {})
        return new TableCell({
          margins: { top: 60, bottom: 60, left: 100, right: 100 },
          children: [
            new Paragraph({ style: 'Cell', ...(side && { alignment: alignments[side] }), children }),
          ],
        })
      }),
    })
  const line = { style: BorderStyle.SINGLE, size: 4, color: 'D0D0CC' }
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
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

function runsOf(nodes: Inline[], place: Place, style: Style = {}): ParagraphChild[] {
  return nodes.flatMap((node): ParagraphChild[] => {
    switch (node.type) {
      case 'text':
        return [new TextRun({ text: node.text.replaceAll('\n', ' '), ...style })]
      case 'code':
        return [new TextRun({ text: node.text, ...style, style: 'CodeWords' })]
      case 'math':
        return [new TextRun({ text: node.tex, ...style, style: 'CodeWords' })]
      case 'strong':
        return runsOf(node.children, place, { ...style, bold: true })
      case 'emphasis':
        return runsOf(node.children, place, { ...style, italics: true })
      case 'delete':
        return runsOf(node.children, place, { ...style, strike: true })
      case 'sub':
        return runsOf(node.children, place, { ...style, subScript: true })
      case 'sup':
        return runsOf(node.children, place, { ...style, superScript: true })
      case 'link': {
        const link = safeLink(node.url)
        const children = runsOf(node.children, place, { ...style, ...(link && { style: 'Hyperlink' }) })
        return link ? [new ExternalHyperlink({ link, children })] : children
      }
      case 'image':
        return [pictureOf(place.document, node.url, node.alt)]
      case 'break':
        return [new TextRun({ break: 1 })]
      case 'footnote-reference':
        return [new TextRun({ text: `(${node.number})`, superScript: true })]
      case 'citation': {
        // Each note appears once; later references point to it.
        const isFirst = !place.told.has(node.number)
        place.told.add(node.number)
        return [
          isFirst
            ? new FootnoteReferenceRun(node.number)
            : new TextRun({ text: String(node.number), superScript: true }),
        ]
      }
      case 'kbd':
      case 'mark':
      case 'custom':
        return runsOf(node.children, place, style)
      default:
        return node satisfies never
    }
  })
}

function noteOf(note: ChatDocument['notes'][number], { language }: ChatDocument): Paragraph {
  const { lead, rest } = describeNote(note, language)
  const link = safeLink(note.url)
  const title = new TextRun({ text: lead, ...(link && { style: 'Hyperlink' }) })
  return new Paragraph({
    children: [
      new TextRun(' '),
      link ? new ExternalHyperlink({ link, children: [title] }) : title,
      new TextRun(rest),
    ],
  })
}

function pictureOf({ images, words }: ChatDocument, address: string, alt: string): ParagraphChild {
  const picture = images[address]
  if (!picture)
    return new TextRun({ text: words.image.replace('{{alt}}', alt || address.slice(0, 200)), italics: true })
  return new ImageRun({
    ...{ type: picture.type, data: picture.bytes, transformation: sizeOf(picture) },
    altText: { name: alt || 'image', description: alt, title: alt },
  })
}

function sizeOf({ width, height }: Picture): { width: number; height: number } {
  const scale = Math.min(1, TEXT_WIDTH / width, 800 / height)
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
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
