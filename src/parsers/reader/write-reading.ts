import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Report } from '#shared/knowledge/documents/parts.ts'
import type { Reading } from '../elements/order.ts'
import type { Format } from '../elements/port.ts'
import { partsOf } from './parts.ts'
import { reportOf } from './report.ts'

/** The summary of a reading; longer data is in separate files next to it. */
export type Summary = {
  format: Format
  language: string | null
  facts: Record<string, string | number>
  report: Report
  /** The number of lines of `parts.ndjson`. */
  parts: number
  /** Files for the viewers, by name; `digitized.md` and `text.md` always exist. */
  files: string[]
  attachments: { name: string; path: string }[]
}

/** Writes a reading into a folder: `summary.json`, `parts.ndjson` with one part per line, the Markdown and the text. */
export async function writeReading(
  reading: Reading,
  { folder, name, language }: { folder: string; name: string; language: string | null },
): Promise<void> {
  const parts = partsOf(reading, { name, type: reading.format, language })
  const lines = function* () {
    for (const part of parts) yield `${JSON.stringify(part)}\n`
  }
  await pipeline(Readable.from(lines()), createWriteStream(join(folder, 'parts.ndjson')))
  await writeFile(join(folder, 'digitized.md'), reading.markdown)
  await writeFile(join(folder, 'text.md'), reading.text)
  const { format, facts, attachments } = reading
  const summary: Summary = {
    ...{ format, language, facts, attachments, parts: parts.length },
    report: reportOf(reading, language ? [language] : []),
    files: [...reading.kept, 'digitized.md', 'text.md'],
  }
  await writeFile(join(folder, 'summary.json'), JSON.stringify(summary))
}
