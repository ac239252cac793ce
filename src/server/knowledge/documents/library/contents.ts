import { readWhole } from '../../../models/models/transcribe.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { folderOf } from './files.ts'
import { readFewElements } from './part-store.ts'
import type { Contents } from './show.ts'
import type { DocumentRow } from './store.ts'

/** Maximum bytes of a text that is sent with its document; longer texts are files. */
const TEXT_INLINE_BYTES = 256 * 1024
/** Maximum bytes of the elements as JSON. */
const ELEMENTS_INLINE_BYTES = 64 * 1024

/** Returns the parsed Markdown, text and elements; each is null before parsing, or when it is too long. */
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
