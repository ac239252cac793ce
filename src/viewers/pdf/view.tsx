import { useEffect, useState } from 'react'
import { Button } from '../../web/platform/ui/button.tsx'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { EmptyState } from '../../web/platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../web/platform/ui/states/skeleton.tsx'
import { toast } from '../../web/platform/ui/toasts/toasts.ts'
import type { PdfProps } from '../viewer.ts'
import { openPdf } from './open-pdf.ts'
import { Pages } from './pages.tsx'
import { PasswordForm } from './password-form.tsx'
import { PdfPages } from './pdf-pages.ts'
import { usePageParts } from './use-page-parts.ts'
import '../page/page.css'
import './pdf.css'

type Locked = { isWrong: boolean; open: (password: string) => void }

/** Shows a PDF; draws only pages near the viewport. */
export default function PdfView({ source, document, chunk, parts, onPages }: PdfProps) {
  const { t } = useTranslation('documents')
  const readPart = usePageParts(document)
  const [pages, setPages] = useState<PdfPages | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [locked, setLocked] = useState<Locked | null>(null)
  useEffect(() => {
    let isGone = false
    const fail = () => !isGone && setFailed(true)
    const opening = openPdf(source, {
      onFailed: fail,
      onLocked: (asked) => !isGone && setLocked(asked),
    })
    const open = async () => {
      const pdf = await opening
      const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 })
      setLocked(null)
      if (!isGone) setPages(new PdfPages(pdf, { width, height }, readPart))
    }
    open().catch(fail)
    return () => {
      isGone = true
      void opening.then((pdf) => pdf.loadingTask.destroy()).catch(() => undefined)
    }
  }, [source, readPart])
  useEffect(() => {
    if (hasFailed) void toast.error(t('viewer.pdf_failed'))
  }, [hasFailed, t])
  if (hasFailed)
    return (
      <EmptyState
        page
        title={t('viewer.pdf_failed')}
        action={<Button onClick={() => location.reload()}>{t('common:actions.retry')}</Button>}
      />
    )
  if (locked && !pages) return <PasswordForm isWrong={locked.isWrong} onPassword={locked.open} />
  if (!pages) return <Skeletons className="grid flex-1 gap-4 p-8" sizes={['h-full min-h-80 w-full']} />
  return <Pages pages={pages} name={document.name} chunk={chunk} parts={parts} onPages={onPages} />
}
