import type { SheetList } from '#shared/knowledge/documents/kept-files.ts'
import type { Element, Format, Job, Parse } from '../elements/port.ts'
import { findProgram } from '../elements/programs.ts'
import { convert } from './convert.ts'
import { placeOnPages } from './place-on-pages.ts'

/** Larger spreadsheets would have thousands of pages. The viewer shows them as a grid. */
const MAX_SHEET_BYTES = 1_000_000
/** Maximum area of a sheet that is converted to pages: rows times columns up to the last cell. */
const MAX_SHEET_AREA = 2_000_000
const sheets = new Set<Format>(['xlsx', 'ods', 'xls'])
/** Text documents, whose page breaks are only known after layout. */
const texts = new Set<Format>(['docx', 'odt', 'rtf', 'doc'])

/**
 * Returns a parser of an Office format that also stores the file as `view.pdf` if LibreOffice is installed, except in the low-latency
 * pipeline. In the improved pipeline, elements of text documents have their positions on its pages.
 */
export function withView(load: () => Promise<{ parse: Parse }>): () => Promise<{ parse: Parse }> {
  return async () => {
    const { parse } = await load()
    return { parse: (job) => parseWithView(job, parse) }
  }
}

async function parseWithView(job: Job, parse: Parse): Promise<void> {
  if (job.pipeline === 'low_latency' || (sheets.has(job.format) && job.size > MAX_SHEET_BYTES))
    return parse(job)
  const elements: Element[] = []
  let isSpread = false
  await parse({
    ...job,
    add: (element) => void elements.push(element),
    keep: async (name, content) => {
      if (name === 'sheets.json' && !('path' in content)) isSpread = isFarSpread(content)
      await job.keep(name, content)
    },
  })
  if (isSpread) {
    for (const element of elements) job.add(element)
    return
  }
  const view = await viewOf(job)
  if (view) await job.keep('view.pdf', { path: view })
  else job.warn({ code: 'geometry_missing' })
  const isPlaced = view !== null && job.pipeline === 'improved' && texts.has(job.format)
  for (const element of isPlaced ? await placeOnPages(elements, view, job) : elements) job.add(element)
}

/** Returns whether a sheet is so large that its pages would be mostly empty and take minutes to draw. */
function isFarSpread(list: Uint8Array): boolean {
  const { sheets: all } = JSON.parse(Buffer.from(list).toString('utf8')) as SheetList
  return all.some(({ rows, columns }) => rows * columns > MAX_SHEET_AREA)
}

/** Returns the path of the file as PDF; null if LibreOffice is missing or fails. */
async function viewOf(job: Job): Promise<string | null> {
  if (!findProgram('soffice')) return null
  try {
    return await convert(job, 'pdf')
  } catch {
    job.signal.throwIfAborted()
    return null
  }
}
