import type { Document, ProcessingInfo } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { CopyButton } from '../../platform/ui/copy-button.tsx'
import { sizeText } from '../../platform/ui/files/file-size.ts'
import { Processing } from './processing.tsx'

/** Longer texts and lists are shown as their length. */
const MAX_SHOWN = 2_000

/** How a document was processed, and its raw metadata. */
export function MetadataTab({ document, info }: { document: Document; info: ProcessingInfo | undefined }) {
  const { t } = useTranslation('vectors')
  const fold = (_: string, value: unknown) => {
    if (typeof value !== 'string' && !Array.isArray(value)) return value
    const length = typeof value === 'string' ? value.length : JSON.stringify(value).length
    if (length <= MAX_SHOWN) return value
    const size = sizeText(t, length)
    return typeof value === 'string' ? `… ${size}` : `… ${t('metadata.items', { count: value.length, size })}`
  }
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6 pt-4 lg:grid-cols-[300px_minmax(0,1fr)]">
      {info ? <Processing info={info} /> : <span />}
      <div className="relative min-w-0">
        <CopyButton
          size="sm"
          className="absolute top-2 right-2"
          name={t('metadata.copy')}
          read={() => JSON.stringify(document, null, 2)}
        />
        <pre className="rounded-card bg-surface-2 p-4 pr-12 text-12 break-words whitespace-pre-wrap">
          {JSON.stringify(document, fold, 2)}
        </pre>
      </div>
    </div>
  )
}
