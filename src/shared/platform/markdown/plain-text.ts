import type { Cell, Inline, TableBlock } from './tree.ts'

/** The words of inline content without their marks; formulas as their source. */
export function plainText(nodes: readonly Inline[]): string {
  return nodes.map(textOf).join('')
}

/** A table as words: the names of its columns, and its rows. */
export type TableWords = { head: readonly string[]; rows: readonly (readonly string[])[] }

/** A table without the marks of its words. */
export function tableWords({ head, rows }: TableBlock): TableWords {
  return { head: head.map(plainText), rows: rows.map((row) => row.map(plainText)) }
}

/** A table as tab-separated lines, which spreadsheets take as cells. */
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
