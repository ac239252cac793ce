import {
  BLOCK_ROWS,
  type BlockCell,
  blockName,
  type SheetBlock,
} from '#shared/knowledge/documents/kept-files.ts'
import type { Job } from '../elements/port.ts'
import type { SheetCell } from './cells.ts'

/** Writes the rows of a sheet for the grid in blocks; a row without cells is empty. */
export class SheetBlocks {
  private readonly job: Job
  private readonly sheet: number
  private block = 0
  private rows: BlockCell[][] = []
  /** Numbers of the blocks that were written. */
  private readonly filled: number[] = []

  constructor(job: Job, sheet: number) {
    this.job = job
    this.sheet = sheet
  }

  async add(row: number, cells: SheetCell[]): Promise<void> {
    while (row >= (this.block + 1) * BLOCK_ROWS) await this.write()
    const at = row - this.block * BLOCK_ROWS
    while (this.rows.length < at) this.rows.push([])
    this.rows[at] = cells.map(({ column, text, kind, formula }) => ({
      c: column,
      v: text,
      t: kind,
      ...(formula !== undefined && { f: formula }),
    }))
  }

  /** Returns the number of blocks, and which were written if some are empty. */
  async end(): Promise<{ blocks: number; filled_blocks?: number[] }> {
    if (this.rows.length > 0) await this.write()
    const hasGaps = this.filled.length < this.block
    return { blocks: this.block, ...(hasGaps ? { filled_blocks: this.filled } : {}) }
  }

  private async write(): Promise<void> {
    if (this.rows.length === 0) {
      this.block += 1
      return
    }
    const content: SheetBlock = { first: this.block * BLOCK_ROWS, rows: this.rows }
    await this.job.keep(blockName(this.sheet, this.block), Buffer.from(JSON.stringify(content)))
    this.filled.push(this.block)
    this.block += 1
    this.rows = []
  }
}
