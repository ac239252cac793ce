import type { Definition, FootnoteDefinition, PhrasingContent, RootContent, TableRow } from 'mdast'
import type { CitationNode } from './citation-syntax.ts'
import { closeMarks, type Mark, type Marking, markPiece, startMarking } from './marks.ts'
import { foldTags } from './tags.ts'
import type { Block, Cell, Inline, ListItem, TableAlign } from './tree.ts'

/** Shared state of a conversion. */
export type Conversion = {
  source: string
  definitions: Map<string, Definition>
  footnotes: Map<string, FootnoteDefinition>
  /** Footnote labels in order of reference. */
  referenced: string[]
  /** Names of HTML-like tags that become `custom` nodes. */
  tags: readonly string[]
  marking: Marking
  /** Nesting depth of the current node, in blocks and marks. */
  depth: number
}

/** Maximum nesting depth. Deeper content is shown as source, because hostile text nests thousands deep. */
const deepest = 60

/** Starts a conversion of nodes parsed from `source` and collects all their definitions. */
export function startConversion(
  source: string,
  nodes: RootContent[],
  tags: readonly string[],
  marks: readonly Mark[] = [],
): Conversion {
  const conversion: Conversion = {
    source,
    definitions: new Map(),
    footnotes: new Map(),
    referenced: [],
    tags,
    marking: startMarking(marks),
    depth: 0,
  }
  for (const node of nodes) collectDefinitions(node, conversion, 0)
  return conversion
}

/** Returns true when the nodes define links or footnotes, which other parts of the text may reference. */
export function hasDefinitions({ definitions, footnotes }: Conversion): boolean {
  return definitions.size > 0 || footnotes.size > 0
}

/** Converts a whole text to blocks, with its footnotes and `marks`. */
export function convertText(
  source: string,
  nodes: RootContent[],
  tags: readonly string[],
  marks: readonly Mark[],
): Block[] {
  const conversion = startConversion(source, nodes, tags, marks)
  const blocks = [...convertBlocks(nodes, conversion), ...convertFootnotes(conversion)]
  closeMarks(conversion.marking)
  return blocks
}

/** Converts mdast blocks to our own; skips definitions. */
export function convertBlocks(nodes: RootContent[], conversion: Conversion): Block[] {
  if (conversion.depth > deepest) return [{ type: 'plain', text: sourceOf(nodes, conversion) }]
  conversion.depth += 1
  const blocks = nodes.flatMap((node) => convertBlock(node, conversion) ?? [])
  conversion.depth -= 1
  return blocks
}

/** Returns the referenced footnotes as the last block; empty when there are none. */
export function convertFootnotes(conversion: Conversion): Block[] {
  const items = []
  // A footnote may reference others, so the list grows during the loop.
  for (let index = 0; index < conversion.referenced.length; index += 1) {
    const label = conversion.referenced[index]!
    const definition = conversion.footnotes.get(label)
    const children = definition ? convertBlocks(definition.children as RootContent[], conversion) : []
    items.push({ number: index + 1, label, children })
  }
  return items.length > 0 ? [{ type: 'footnotes', items }] : []
}

function collectDefinitions(node: RootContent, conversion: Conversion, depth: number): void {
  if (node.type === 'definition') {
    if (!conversion.definitions.has(node.identifier)) conversion.definitions.set(node.identifier, node)
  } else if (node.type === 'footnoteDefinition') {
    if (!conversion.footnotes.has(node.identifier)) conversion.footnotes.set(node.identifier, node)
  }
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'table') return
  if (!('children' in node) || depth > deepest) return
  for (const child of node.children) collectDefinitions(child as RootContent, conversion, depth + 1)
}

type MathNode = { type: 'math' | 'inlineMath'; value: string; display: boolean }

function convertBlock(node: RootContent, conversion: Conversion): Block | null {
  switch (node.type) {
    case 'paragraph':
      return convertParagraph(node.children, conversion)
    case 'heading':
      return { type: 'heading', level: node.depth, children: convertInlines(node.children, conversion) }
    case 'code':
      return {
        type: 'code',
        lang: node.lang ?? null,
        meta: node.meta ?? null,
        text: node.value,
        open: isOpenFence(sliceOf(node, conversion), node.position!.start.column === 1),
      }
    case 'list':
      return {
        type: 'list',
        ordered: node.ordered === true,
        start: node.start ?? 1,
        loose: node.spread === true || node.children.some((item) => item.spread === true),
        items: node.children.map(
          (item): ListItem => ({
            checked: item.checked ?? null,
            children: convertBlocks(item.children as RootContent[], conversion),
          }),
        ),
      }
    case 'blockquote':
      return { type: 'quote', children: convertBlocks(node.children as RootContent[], conversion) }
    case 'table': {
      const [head, ...rows] = node.children
      const columns = head?.children.length ?? 0
      // Short rows are padded, unless a few characters would create a huge empty table.
      const width = columns * rows.length > mostFilled ? 0 : columns
      return {
        type: 'table',
        align: Array.from({ length: columns }, (_, at): TableAlign => node.align?.[at] ?? null),
        head: head ? convertRow(head, columns, conversion) : [],
        rows: rows.map((row) => convertRow(row, Math.max(width, row.children.length), conversion)),
      }
    }
    case 'thematicBreak':
      return { type: 'rule' }
    case 'html':
      return { type: 'html', text: node.value }
    case 'definition':
    case 'footnoteDefinition':
      return null
    default:
      return convertMath(node as unknown as MathNode, sliceOf(node, conversion))
  }
}

function convertMath(node: MathNode, source: string): Block | null {
  if (node.type !== 'math') return null
  const written = source.trim()
  const isClosed = written.length > 2 && /(?:\$\$|\\\]|\\end\{[A-Za-z]+\*?\})$/.test(written)
  return { type: 'math', tex: node.value, open: !isClosed }
}

/** Turns a display formula that is alone in its paragraph into a block. */
function convertParagraph(nodes: PhrasingContent[], conversion: Conversion): Block {
  const children = convertInlines(nodes, conversion)
  const [only] = children
  if (children.length === 1 && only?.type === 'math' && only.display)
    return { type: 'math', tex: only.tex, open: false }
  return { type: 'paragraph', children }
}

/** Pads or cuts each row to the number of cells in the head. */
/** Maximum number of cells in a table whose short rows are padded. */
const mostFilled = 20_000

function convertRow(row: TableRow, columns: number, conversion: Conversion): Cell[] {
  return Array.from({ length: columns }, (_, at) => {
    const cell = row.children[at]
    return cell ? convertInlines(cell.children, conversion) : []
  })
}

function convertInlines(nodes: PhrasingContent[], conversion: Conversion): Inline[] {
  if (conversion.depth > deepest) return [{ type: 'text', text: sourceOf(nodes, conversion) }]
  conversion.depth += 1
  const inlines = foldTags(
    nodes.flatMap((node, at) =>
      convertInline(isCitation(nodes[at + 1]) ? withoutBreak(node) : node, conversion),
    ),
    conversion.tags,
  )
  conversion.depth -= 1
  return inlines
}

function convertInline(
  node: PhrasingContent,
  conversion: Conversion,
): (Inline | { type: 'tag'; source: string })[] {
  switch (node.type) {
    case 'text':
      return markOwn({ type: 'text', text: node.value }, node, conversion)
    case 'strong':
    case 'emphasis':
      return [{ type: node.type, children: convertInlines(node.children, conversion) }]
    case 'delete':
      return convertDelete(node, conversion)
    case 'inlineCode':
      // Line breaks in a code span count as spaces.
      return markOwn({ type: 'code', text: node.value.replaceAll('\n', ' ') }, node, conversion)
    case 'break':
      return [{ type: 'break' }]
    case 'link':
      return [
        {
          type: 'link',
          url: node.url,
          title: node.title ?? null,
          children: convertInlines(node.children, conversion),
        },
      ]
    case 'image':
      // Placeholder that the repair inserts for an incomplete address.
      if (node.url.startsWith('streamdown:')) return []
      return [{ type: 'image', url: node.url, title: node.title ?? null, alt: node.alt ?? '' }]
    case 'linkReference': {
      const definition = conversion.definitions.get(node.identifier)
      const children = convertInlines(node.children, conversion)
      return [{ type: 'link', url: definition?.url ?? '', title: definition?.title ?? null, children }]
    }
    case 'imageReference': {
      const definition = conversion.definitions.get(node.identifier)
      return [
        { type: 'image', url: definition?.url ?? '', title: definition?.title ?? null, alt: node.alt ?? '' },
      ]
    }
    case 'footnoteReference':
      return [referToFootnote(node.identifier, conversion)]
    case 'html':
      return [{ type: 'tag', source: node.value }]
    default: {
      const math = node as unknown as MathNode | CitationNode
      if (math.type === 'citation')
        return markOwn({ type: 'citation', id: math.id, number: math.number }, node, conversion)
      return math.type === 'inlineMath'
        ? [{ type: 'math', tex: math.value.trim(), display: math.display }]
        : []
    }
  }
}

const isCitation = (node: PhrasingContent | undefined) => (node?.type as string | undefined) === 'citation'

/** Removes the line break before a citation number, so that it stays with the preceding word. */
function withoutBreak(node: PhrasingContent): PhrasingContent {
  return node.type === 'text' ? { ...node, value: node.value.replace(/[ \n]$/, '\u00a0') } : node
}

function markOwn(piece: Inline, { position }: PhrasingContent, { marking }: Conversion): Inline[] {
  if (marking.marks.length === 0) return [piece]
  return markPiece(piece, position!.start.offset!, position!.end.offset!, marking)
}

/** Treats a single tilde inside a word or number as text, because it means "about" or a range (`20~25`). */
function convertDelete(node: Extract<PhrasingContent, { type: 'delete' }>, conversion: Conversion): Inline[] {
  const children = convertInlines(node.children, conversion)
  const { start, end } = node.position!
  const { source } = conversion
  const isSingle = source[start.offset!] === '~' && source[start.offset! + 1] !== '~'
  const touches = (at: number) => /[\p{L}\p{N}]/u.test(source[at] ?? '')
  if (!isSingle || !(touches(start.offset! - 1) || touches(end.offset!)))
    return [{ type: 'delete', children }]
  return [{ type: 'text', text: '~' }, ...children, { type: 'text', text: '~' }]
}

function referToFootnote(label: string, { referenced }: Conversion): Inline {
  const first = !referenced.includes(label)
  if (first) referenced.push(label)
  return { type: 'footnote-reference', number: referenced.indexOf(label) + 1, label, first }
}

function sliceOf(node: RootContent, { source }: Conversion): string {
  return source.slice(node.position!.start.offset, node.position!.end.offset)
}

function sourceOf(nodes: (RootContent | PhrasingContent)[], { source }: Conversion): string {
  return source.slice(
    nodes[0]?.position?.start.offset ?? 0,
    nodes[nodes.length - 1]?.position?.end.offset ?? 0,
  )
}

/** Returns true when a code block's source has no closing fence; `isTop` when it has no container. */
export function isOpenFence(source: string, isTop: boolean): boolean {
  const fence = /^(`{3,}|~{3,})/.exec(source)?.[1]
  if (!fence) return false
  const lines = source.split('\n')
  const last =
    lines.length > 1 ? lines[lines.length - 1]!.replace(isTop ? /^ {0,3}/ : /^[\s>]*/, '').trimEnd() : ''
  return !(last.length >= fence.length && last === fence[0]!.repeat(last.length))
}
