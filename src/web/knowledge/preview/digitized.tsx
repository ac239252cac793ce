import type { Chunk, Document } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { DocumentText } from './digitized/document-text.tsx'
import { useFileText } from './use-document.ts'

type DigitizedProps = { document: Document; mode: 'digitized' | 'text'; chunk: Chunk | null }

/** The digitized document with headings, lists and tables, or as plain text. */
export function Digitized({ document, mode, chunk }: DigitizedProps) {
  const { t } = useTranslation('documents')
  const { data: text, isError } = useFileText(document, `${mode}.md`)
  if (isError) return <EmptyState title={t('preview.text_failed')} />
  if (text === undefined)
    return <Skeletons className="column grid gap-3 py-8" sizes={['h-7 w-64', 'h-24 w-full', 'h-40 w-full']} />
  if (text.trim() === '')
    return <EmptyState title={t('preview.no_text')}>{t('preview.no_text_about')}</EmptyState>
  return <DocumentText key={mode} text={text} chunk={chunk} language={document.doc_metadata.language} />
}
