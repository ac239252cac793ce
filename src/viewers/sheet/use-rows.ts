import { useQueries } from '@tanstack/react-query'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import {
  BLOCK_ROWS,
  blockName,
  hasBlock,
  type SheetBlock,
  type SheetEntry,
} from '#shared/knowledge/documents/kept-files.ts'
import { queryClient } from '../../web/platform/lib/api/query-client.ts'
import { keptFile } from '../kept-file.ts'
import type { Row, Spread } from './measures.ts'

/** So many rows before they come on screen they are asked for. */
const AHEAD = 120

const empty: Row = []
/** A sheet of a document: which one, and what is known of it. */
export type SheetAt = { document: Pick<Document, 'id' | 'version'>; at: number; sheet: SheetEntry }

const blockOf = (row: number) => Math.floor(row / BLOCK_ROWS)

/** The rows of a sheet that are on screen, and single ones elsewhere; undefined while they are on their way. */
export function useRows(
  { document, at, sheet }: SheetAt,
  { first, last }: Spread,
  others: readonly number[],
) {
  const wanted = new Set<number>()
  for (const row of [Math.max(0, first - AHEAD), first, last, last + AHEAD, ...others])
    wanted.add(blockOf(row))
  const blocks = [...wanted].filter((block) => hasBlock(sheet, block))
  const results = useQueries({
    queries: blocks.map((block) => keptFile<SheetBlock>(document, blockName(at, block))),
  })
  return {
    rowAt: (row: number): Row | undefined => {
      if (!hasBlock(sheet, blockOf(row))) return empty
      const block = results[blocks.indexOf(blockOf(row))]?.data
      return block && (block.rows[row - block.first] ?? empty)
    },
    hasFailed: results.some(({ isError }) => isError),
    readAgain: () => {
      for (const { isError, refetch } of results) if (isError) void refetch()
    },
  }
}

/** Rows from one to another, all of them. */
export async function readRows({ document, at, sheet }: SheetAt, { first, last }: Spread): Promise<Row[]> {
  const rows = Array.from({ length: last - first + 1 }, () => empty)
  for (let block = blockOf(first); block <= blockOf(last) && block < sheet.blocks; block += 1) {
    if (!hasBlock(sheet, block)) continue
    const read = await queryClient.fetchQuery(keptFile<SheetBlock>(document, blockName(at, block)))
    for (const [offset, row] of read.rows.entries()) {
      const place = read.first + offset - first
      if (place >= 0 && place < rows.length) rows[place] = row
    }
  }
  return rows
}
