import { readWhole } from '../../../models/models/transcribe.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { folderOf } from './files.ts'
import { readFewElements } from './part-store.ts'
import type { Contents } from './show.ts'
import type { DocumentRow } from './store.ts'

/** Texts up to here come along with the document, in bytes; longer ones are files. */
const TEXT_INLINE_BYTES = 256 * 1024
/** Elements as well, as JSON. */
const ELEMENTS_INLINE_BYTES = 64 * 1024

/** What was read, as Markdown, as text and as elements; null before that, and where it is long. */
export async function readContents(
  { db, files }: Pick<RunDeps, 'db' | 'files'>,
  row: DocumentRow,
): Promise<Contents> {
  const read = async (name: string) => {
    if (!row.files.includes(name)) return null
    const key = folderOf(row.reading_id) + name
    const size = await files.size(key)
    if (size === null || size > TEXT_INLINE_BYTES) return null
    return Buffer.from(await readWhole(await files.read(key))).toString('utf8')
  }
  return {
    markdown_content: await read('digitized.md'),
    text_markdown_content: await read('text.md'),
    parsed_data: row.parts > 0 ? await readFewElements(db, row.reading_id, ELEMENTS_INLINE_BYTES) : null,
  }
}
