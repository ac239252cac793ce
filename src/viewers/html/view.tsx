import { ExternalLink, Lock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { Skeletons } from '../../web/platform/ui/states/skeleton.tsx'
import type { ViewerProps } from '../viewer.ts'
import { framedPage } from './framed-page.ts'
import { sourceLink } from './source-link.ts'
import './html.css'

/** Shows a stored page in a sandboxed frame; passages are marked in the digitized view. */
export default function HtmlView({ blob, document }: ViewerProps) {
  const { t } = useTranslation('documents')
  const { source_url } = document.doc_metadata.file_info
  const source = source_url === null ? null : sourceLink(source_url)
  const label = source && t('viewer.open_source', { address: source })
  const page = usePage(blob, source, label ?? '')
  if (page === null) return <Skeletons className="grid flex-1 gap-4 p-8" sizes={['h-full min-h-80 w-full']} />
  return (
    <div className="html-view">
      <div className="html-bar">
        <Lock aria-hidden className="icon-14" />
        {source && <span className="html-address">{source.replace(/^https?:\/\//, '')}</span>}
        <span className="html-locked">{t('viewer.locked')}</span>
        {source && (
          <a href={source} target="_blank" rel="noopener noreferrer" className="html-open">
            <ExternalLink aria-hidden className="icon-14" />
            {t('viewer.open_source_short')}
          </a>
        )}
      </div>
      <iframe
        title={document.name}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        srcDoc={page}
        className="html-frame"
      />
      <p className="html-note">{t(source ? 'viewer.html_note_source' : 'viewer.html_note')}</p>
    </div>
  )
}

/** Returns the page for the frame; null until it is loaded. */
function usePage(blob: Blob, url: string | null, name: string): string | null {
  const [page, setPage] = useState<string | null>(null)
  useEffect(() => {
    let isGone = false
    void blob.text().then((html) => !isGone && setPage(framedPage(html, url === null ? null : { url, name })))
    return () => {
      isGone = true
    }
  }, [blob, url, name])
  return page
}
