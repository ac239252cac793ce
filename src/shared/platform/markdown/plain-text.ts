import type { Cell, Inline, TableBlock } from './tree.ts'

/** Returns the text of inline content without formatting; formulas as their source. */
export function plainText(nodes: readonly Inline[]): string {
  return nodes.map(textOf).join('')
}

/** A table as plain text: its column names and rows. */
export type TableWords = { head: readonly string[]; rows: readonly (readonly string[])[] }

/** Returns a table without formatting. */
export function tableWords({ head, rows }: TableBlock): TableWords {
  return { head: head.map(plainText), rows: rows.map((row) => row.map(plainText)) }
}

/** Returns a table as tab-separated lines, which spreadsheets paste as cells. */
export function tableText({ head, rows }: TableBlock): string {
  return [head, ...rows].map((row) => row.map(cellText).join('\t')).join('\n')
}

function cellText(cell: Cell): string {
  return plainText(cell).replace(/[\t\n]+/g, ' ')
}

function textOf(node: Inline): string {
  switch (node.type) {
    case 'text':
    case 'code':
      return node.text
    case 'math':
      return node.tex
    case 'image':
      return node.alt
    case 'break':
      return '\n'
    case 'footnote-reference':
      return ''
    case 'citation':
      return `[${node.number}]`
    default:
      return plainText(node.children)
  }
}
