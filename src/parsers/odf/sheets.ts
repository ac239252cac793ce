import type { CellKind } from '#shared/knowledge/documents/kept-files.ts'
import type { Area } from '#shared/knowledge/documents/ranges.ts'
import type { Job } from '../elements/port.ts'
import { type Sheet, SheetBook } from '../sheets/book.ts'
import type { SheetCell } from '../sheets/cells.ts'
import { eachNode, elementsOf, type XmlNode } from '../xml/read-xml.ts'
import { linesOf } from './inline.ts'
import type { Styles } from './styles.ts'

const kinds: Record<string, CellKind> = {
  float: 'n',
  percentage: 'n',
  currency: 'n',
  date: 'd',
  time: 'd',
  boolean: 'b',
}
/** A cell or row with more repeats only fills the sheet to its edge. */
const MAX_REPEATS = 1000

/** Reads the sheets of a file row by row. */
export async function readSheets(
  job: Job,
  content: AsyncIterable<Uint8Array>,
  styles: Styles,
): Promise<void> {
  const book = new SheetBook(job)
  const hidden: string[] = []
  let open: { sheet: Sheet; merges: Area[]; row: number } | null = null
  let sheets = 0
  await eachNode(
    content,
    (path) =>
      path.at(-1) === 'table:table-row' && path[3] === 'table:table' && !path.includes('table:shapes'),
    async (node) => {
      if (!open) return
      const repeated = Number(node.attributes['table:number-rows-repeated'] ?? 1)
      const cells = readRow(node, styles, open)
      if (cells.length > 0)
        for (let at = 0; at < Math.min(repeated, MAX_REPEATS); at += 1)
          await open.sheet.add(open.row + at, cells)
      open.row += repeated
    },
    {
      isWanted: (path) => path.length === 4 && path[3] === 'table:table',
      enter: async ({ attributes }) => {
        await open?.sheet.end()
        const name = attributes['table:name'] ?? ''
        const isHidden = styles.hidden.has(attributes['table:style-name'] ?? '')
        if (isHidden) hidden.push(name)
        const merges: Area[] = []
        open = { sheet: book.begin({ name, isHidden, merges }, { isNamed: true }), merges, row: 0 }
        sheets += 1
      },
    },
  )
  await (open as { sheet: Sheet } | null)?.sheet.end()
  await book.end()
  if (hidden.length > 0)
    job.warn({ code: 'hidden_sheets', values: { count: hidden.length, names: hidden.join(', ') } })
  job.describe({ sheets })
}

function readRow(
  row: XmlNode,
  styles: Styles,
  { merges, row: at }: { merges: Area[]; row: number },
): SheetCell[] {
  const cells: SheetCell[] = []
  let column = 0
  for (const node of elementsOf(row)) {
    const { attributes } = node
    const repeated = Number(attributes['table:number-columns-repeated'] ?? 1)
    const text = linesOf(node, styles)
    const formula = attributes['table:formula']?.replace(/^\w+:=|^=/, '')
    const [rows, columns] = [
      Number(attributes['table:number-rows-spanned'] ?? 1),
      Number(attributes['table:number-columns-spanned'] ?? 1),
    ]
    if ((rows > 1 || columns > 1) && merges.length < 10_000) merges.push({ row: at, column, rows, columns })
    if (node.name === 'table:table-cell' && (text || formula)) {
      const kind = kinds[attributes['office:value-type'] ?? ''] ?? 's'
      for (let one = 0; one < Math.min(repeated, MAX_REPEATS); one += 1)
        cells.push({ column: column + one, text, kind, ...(formula && { formula }) })
    }
    column += repeated
  }
  return cells
}
