import { titleOf } from '../elements/elements.ts'
import type { Job, Parse } from '../elements/port.ts'
import { packageReader } from '../ooxml/open-package.ts'
import type { Package } from '../ooxml/package.ts'
import { SheetBook } from '../sheets/book.ts'
import { readBeside } from './beside.ts'
import { calculate } from './calculate.ts'
import { readSheet } from './read-sheet.ts'
import { readWorkbook } from './workbook.ts'

/** Reads a workbook: its sheets in order, including hidden ones, each as a stream. */
export const parse: Parse = async (job) => {
  const calculated = await calculate(job)
  await readPackage(calculated?.job ?? job)
  if (calculated) job.warn({ code: 'formulas_calculated', values: { count: calculated.count } })
}

const readPackage = packageReader(read)

async function read(job: Job, file: Package): Promise<void> {
  const workbook = await readWorkbook(file)
  const sizeOf = (part: string) => file.zip.entries.find(({ name }) => name === part)?.size ?? 0
  const total = workbook.sheets.reduce((sum, { part }) => sum + sizeOf(part), 1)
  let done = 0
  let withoutResult = 0
  const book = new SheetBook(job)
  for (const entry of workbook.sheets) {
    if (entry.isChart) {
      const title = titleOf([{ text: entry.name }], 2, { place: { sheet: entry.name } })
      if (title) job.add(title)
    } else {
      const sheet = book.begin(
        { name: entry.name, isHidden: entry.isHidden, isEnglish: true },
        { isNamed: true },
      )
      const found = await readSheet(file, workbook, entry, sheet, (bytes) => {
        job.signal.throwIfAborted()
        done += bytes
        job.progress(Math.min(done, total), total)
      })
      withoutResult += found.withoutResult
      await sheet.end()
    }
    for (const element of await readBeside(file, entry)) job.add(element)
  }
  await book.end()
  const hidden = workbook.sheets.filter(({ isHidden }) => isHidden)
  if (hidden.length > 0)
    job.warn({
      code: 'hidden_sheets',
      values: { count: hidden.length, names: hidden.map(({ name }) => name).join(', ') },
    })
  if (withoutResult > 0) job.warn({ code: 'formulas_without_results', values: { count: withoutResult } })
  job.describe({ sheets: workbook.sheets.length })
  job.progress(total, total)
}
