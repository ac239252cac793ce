import { Download, FileText } from 'lucide-react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { categoryOf } from '#shared/knowledge/documents/file-kinds.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { sizeText } from '../../../platform/ui/files/file-size.ts'
import { download } from '../../documents/documents.ts'
import './fallback.css'

/** For files without a viewer: what it is, and what to do with it. */
export function Fallback({ document, onDigitized }: { document: Document; onDigitized: () => void }) {
  const { t } = useTranslation('documents')
  const { files, chunking_metadata } = document.doc_metadata
  const hasText = files.includes('digitized.md')
  const type = document.normalized_extension.toUpperCase()
  const count = chunking_metadata.chunks
  const pipeline = document.processing_pipeline
  const missing =
    categoryOf(document.normalized_extension) === 'office' &&
    (pipeline === 'low_latency'
      ? t('preview.no_pages_fast', { name: t(`pipeline.${pipeline}`) })
      : t('preview.no_pages'))
  const facts = [
    [t('column.name'), document.name],
    [t('column.type'), document.file_type],
    [t('column.size'), sizeText(t, document.size)],
  ]
  if (hasText) facts.push([t('preview.read'), t('preview.passages', { count, shown: formatNumber(count) })])
  return (
    <div className="fallback">
      <section aria-labelledby="fallback-title" className="fallback-card">
        <div className="fallback-top">
          <span aria-hidden className="fallback-type">
            {type}
          </span>
          <div>
            <h2 id="fallback-title">{t('preview.unavailable', { type })}</h2>
            {missing && <p>{missing}</p>}
            <p>{t(hasText ? 'preview.suggest_both' : 'preview.suggest_download')}</p>
          </div>
        </div>
        <dl>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="num">{value}</dd>
            </div>
          ))}
        </dl>
        <div className="fallback-foot">
          {hasText && (
            <Button variant="primary" icon={<FileText aria-hidden className="icon" />} onClick={onDigitized}>
              {t('preview.view_digitized')}
            </Button>
          )}
          <Button
            variant={hasText ? 'secondary' : 'primary'}
            icon={<Download aria-hidden className="icon" />}
            onClick={() => void download(t, document)}
          >
            {t('preview.download_original')}
          </Button>
        </div>
      </section>
    </div>
  )
}
