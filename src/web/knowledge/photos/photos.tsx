import { Camera } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { loadTexts, useTranslation } from '../../platform/i18n/i18n.ts'
import { useMedia } from '../../platform/lib/page-state.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'

const loadDialog = () => Promise.all([import('./photo-dialog.tsx'), loadTexts('photos')])
const PhotoDialog = lazy(async () => ({ default: (await loadDialog())[0].PhotoDialog }))

type CameraButtonProps = { disabled: boolean; onPhoto: (file: File) => void }

/** On a device with a touch screen: takes a photo, which can be straightened, and hands it over as a file. */
export function CameraButton({ disabled, onPhoto }: CameraButtonProps) {
  const { t } = useTranslation('documents')
  const isTouch = useMedia('(pointer: coarse)')
  const [photo, setPhoto] = useState<File | null>(null)
  if (!isTouch) return null
  return (
    <>
      <IconButton
        name={t('chat.photo')}
        disabled={disabled}
        onClick={() => {
          // Its code comes while the person takes the photo.
          void loadDialog().catch(() => undefined)
          askForPhoto(setPhoto)
        }}
      >
        <Camera aria-hidden className="icon" />
      </IconButton>
      {photo && (
        <Suspense fallback={null}>
          <PhotoDialog
            photo={photo}
            onClose={() => setPhoto(null)}
            onDone={(file) => {
              setPhoto(null)
              onPhoto(file)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** Opens the camera of a phone, or the file picker where there is none. */
function askForPhoto(onTaken: (file: File) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = 'image/*'
  // The property is missing in browsers for desktops.
  input.setAttribute('capture', 'environment')
  input.onchange = () => {
    const [file] = input.files ?? []
    if (file) onTaken(file)
  }
  input.click()
}
