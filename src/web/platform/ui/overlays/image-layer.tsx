import { Dialog as Base } from '@base-ui/react/dialog'
import { Download, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../i18n/i18n.ts'
import { Callout } from '../callout.tsx'
import { saveFile } from '../files/save-file.ts'
import { IconButton } from '../icon-button.tsx'

export type ImageOverlayProps = {
  src: string
  /** Description of the image. */
  alt: string
  /** The name of the downloaded file. */
  fileName?: string
  onClose: () => void
}

/** The overlay itself, loaded with the first image that opens. */
export default function ImageLayer({ src, alt, fileName = 'image', onClose }: ImageOverlayProps) {
  const { t } = useTranslation('common')
  const [hasFailed, setFailed] = useState(false)
  const onDownload = async () => setFailed(!(await downloadImage(src, fileName)))
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fade-motion fixed inset-0 z-(--z-modal) bg-media-veil" />
        <Base.Popup
          aria-label={alt || t('image.view')}
          className="fade-motion fixed inset-0 z-(--z-modal) flex flex-col p-3 outline-none"
        >
          <div className="flex justify-end gap-1">
            <span className="flex gap-1 rounded-card bg-raised p-1">
              <IconButton name={t('image.download')} onClick={onDownload}>
                <Download aria-hidden className="icon" />
              </IconButton>
              <Base.Close
                render={
                  <IconButton name={t('image.close')}>
                    <X aria-hidden className="icon" />
                  </IconButton>
                }
              />
            </span>
          </div>
          {hasFailed && (
            <Callout tone="danger" className="mx-auto mt-2 max-w-100">
              {t('image.failed')}
            </Callout>
          )}
          <Base.Close
            nativeButton={false}
            render={
              <div
                aria-hidden
                tabIndex={-1}
                className="flex min-h-0 flex-1 items-center justify-center p-3"
              />
            }
          >
            <img src={src} alt="" className="max-h-full max-w-full rounded-card object-contain" />
          </Base.Close>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

async function downloadImage(src: string, fileName: string): Promise<boolean> {
  try {
    const response = await fetch(src)
    if (!response.ok) return false
    saveFile(await response.blob(), fileName)
    return true
  } catch {
    return false
  }
}
