import type { SheetEntry, SheetList } from '#shared/knowledge/documents/kept-files.ts'
import { rangeName } from '#shared/knowledge/documents/ranges.ts'
import { titleOf } from '../elements/elements.ts'
import type { Job } from '../elements/port.ts'
import { SheetBlocks } from './blocks.ts'
import type { SheetCell, SheetFacts } from './cells.ts'
import { SheetRegions } from './regions.ts'

/**
 * Takes the sheets of a file row by row: creates elements from their tables and writes the data of the grid in blocks of
 * rows, so that a sheet is never in memory as a whole.
 */
export class SheetBook {
  private readonly job: Job
  private readonly sheets: SheetEntry[] = []
  private characters = 0
  private cellsGiven = 0
  private isCut = false

  constructor(job: Job) {
    this.job = job
  }

  /** Begins a sheet; call `end` before the next one. `isNamed` adds a heading. */
  begin(facts: SheetFacts, { isNamed }: { isNamed: boolean }): Sheet {
    const at = this.sheets.length
    if (isNamed) {
      const title = titleOf([{ text: facts.name }], 2, { place: { sheet: facts.name } })
      if (title) this.job.add(title)
    }
    return new Sheet(this.job, at, facts, {
      spend: (characters, cells) => this.spend(characters, cells),
      finish: (entry) => {
        this.sheets.push(entry)
      },
    })
  }

  async end(): Promise<void> {
    await this.job.keep(
      'sheets.json',
      Buffer.from(JSON.stringify({ sheets: this.sheets } satisfies SheetList)),
    )
  }

  /** The remaining allowance of a table: whether its text fits, and whether its single cells do. */
  private spend(characters: number, cells: number): { text: boolean; cells: boolean } {
    const { limits } = this.job
    if (this.characters + characters > limits.characters) {
      if (!this.isCut) this.job.warn({ code: 'text_cut', values: { characters: limits.characters } })
      this.isCut = true
      return { text: false, cells: false }
    }
    this.characters += characters
    this.cellsGiven += cells
    return { text: true, cells: this.cellsGiven <= MAX_CELL_ELEMENTS }
  }
}

/** The number of cells that are elements of their own as well as text; the rest of a large file is found by its ranges. */
const MAX_CELL_ELEMENTS = 200_000

/** One sheet, row by row. */
export class Sheet {
  private readonly job: Job
  private readonly facts: SheetFacts
  private readonly purse: { finish(entry: SheetEntry): void }
  private readonly blocks: SheetBlocks
  private readonly regions: SheetRegions
  private rows = 0
  private filled = 0
  private columns = 0
  private skipped = 0

  constructor(
    job: Job,
    at: number,
    facts: SheetFacts,
    purse: {
      spend(characters: number, cells: number): { text: boolean; cells: boolean }
      finish(entry: SheetEntry): void
    },
  ) {
    this.job = job
    this.facts = facts
    this.purse = purse
    this.blocks = new SheetBlocks(job, at)
    this.regions = new SheetRegions(job, facts, purse)
  }

  /** Rows come in order, counted from 0; empty rows may be left out. */
  async add(row: number, cells: SheetCell[]): Promise<void> {
    const shown = cells.filter(({ text, formula }) => text !== '' || formula !== undefined)
    if (shown.length === 0) return
    if (this.filled >= this.job.limits.rows) {
      this.skipped += 1
      return
    }
    this.filled += 1
    this.rows = row + 1
    for (const { column } of shown) this.columns = Math.max(this.columns, column + 1)
    this.regions.add(row, shown)
    await this.blocks.add(row, shown)
  }

  /** Adds facts of a sheet that are only known after its rows, such as merged cells in Open XML. */
  learn(facts: Partial<SheetFacts>): void {
    Object.assign(this.facts, facts)
  }

  async end(): Promise<void> {
    this.regions.end()
    const blocks = await this.blocks.end()
    const { name, isHidden = false, widths = [], frozen, merges = [], isEnglish = false } = this.facts
    if (this.skipped > 0) this.job.warn({ code: 'rows_skipped', values: { sheet: name, rows: this.skipped } })
    this.purse.finish({
      name,
      hidden: isHidden,
      rows: this.rows,
      columns: this.columns,
      widths: Array.from({ length: this.columns }, (_, column) => widths[column] ?? null),
      frozen: frozen ?? { rows: 0, columns: 0 },
      merges: merges.map(rangeName),
      ...blocks,
      notation: isEnglish ? 'en' : 'own',
    })
  }
}
