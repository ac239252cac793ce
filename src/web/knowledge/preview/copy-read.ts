import { type Document, readDocumentFile } from '#shared/knowledge/documents/documents.ts'
import type { TFunction } from '../../platform/i18n/i18n.ts'
import { openRoute } from '../../platform/lib/api/call.ts'
import { copyText } from '../../platform/lib/clipboard.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import type { Mode } from './view-modes.tsx'

/** Copies the digitized document as it is shown: as Markdown, or as plain text. */
export async function copyRead(t: TFunction, document: Document, mode: Mode | null): Promise<void> {
  try {
    const text = await readText(document, mode === 'text' ? 'text' : 'digitized')
    if (!text.trim()) return void toast.warning(t('documents:preview.nothing_to_copy'))
    if (!(await copyText(text))) throw new Error('The browser refused.')
    void toast.success(t('documents:preview.copied'))
  } catch {
    void toast.error(t('documents:preview.copy_failed'))
  }
}

/** Long texts are not part of the document. */
async function readText(
  { id, version, doc_metadata }: Document,
  kind: 'digitized' | 'text',
): Promise<string> {
  const { markdown_content, text_markdown_content, files } = doc_metadata
  const known = kind === 'text' ? text_markdown_content : markdown_content
  if (known !== null) return known
  const name = `${kind}.md`
  if (!files.includes(name)) return ''
  return (await openRoute(readDocumentFile, { params: { documentId: id, name }, query: { version } })).text()
}
