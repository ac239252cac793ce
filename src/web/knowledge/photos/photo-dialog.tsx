import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { CornerHandles } from './corner-handles.tsx'
import { type Corners, isConvex } from './homography.ts'
import { guessIn, openPhoto, straightenPhoto } from './photo-pixels.ts'

type PhotoDialogProps = { photo: File; onDone: (file: File) => void; onClose: () => void }
type Opened = { picture: ImageBitmap; address: string }

/** Shows a photo with the corners of its page, which can be moved, and straightens the page. */
export function PhotoDialog({ photo, onDone, onClose }: PhotoDialogProps) {
  const { t } = useTranslation('photos')
  const [opened, setOpened] = useState<Opened | null>(null)
  const [corners, setCorners] = useState<Corners | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const isClosed = useRef(false)
  useEffect(() => {
    const address = URL.createObjectURL(photo)
    const opening = openPhoto(photo)
    let isGone = false
    isClosed.current = false
    opening
      .then((picture) => {
        if (isGone) return
        setOpened({ picture, address })
        setCorners(guessIn(picture))
      })
      .catch(() => setFailed(true))
    return () => {
      isGone = true
      isClosed.current = true
      URL.revokeObjectURL(address)
      void opening.then((picture) => picture.close()).catch(() => undefined)
    }
  }, [photo])
  const send = async () => {
    if (!opened || !corners) return
    setBusy(true)
    // The button shows that it works before the pixels keep the page busy.
    await new Promise((resolve) => setTimeout(resolve, 50))
    const page = await straightenPhoto(opened.picture, corners, photo.name).catch(() => null)
    // A closed dialog sends nothing.
    if (isClosed.current) return
    setBusy(false)
    if (page) onDone(page)
    else setFailed(true)
  }
  const isPage = corners !== null && isConvex(corners)
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('title')}
      description={t(hasFailed ? 'failed' : isPage || !corners ? 'text' : 'crossed')}
      footer={
        <>
          <Button onClick={() => onDone(photo)}>{t('as_it_is')}</Button>
          <Button variant="primary" disabled={!isPage || hasFailed} busy={isBusy} onClick={() => void send()}>
            {t('straighten')}
          </Button>
        </>
      }
    >
      {opened && corners ? (
        <CornerHandles {...opened} corners={corners} onChange={setCorners} />
      ) : (
        !hasFailed && <Skeleton className="h-[50dvh] rounded-card" />
      )}
    </Dialog>
  )
}
