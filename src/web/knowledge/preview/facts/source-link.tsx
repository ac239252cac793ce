import { ExternalLink } from 'lucide-react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'

/** Opens the page that a document was read from, when it has one. */
export function SourceLink({ document }: { document: Document }) {
  const { t } = useTranslation('documents')
  const address = document.doc_metadata.file_info.source_url
  if (!address || !/^https?:\/\//i.test(address)) return null
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer"
      className="inline-flex flex-none items-center gap-1 rounded-control text-12 text-accent hover:underline max-md:min-h-11"
    >
      <ExternalLink aria-hidden className="icon-12" />
      {t('preview.at_source')}
    </a>
  )
}
