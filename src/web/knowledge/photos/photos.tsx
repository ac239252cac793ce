import { Camera, CloudDownload, Paperclip } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { loadTexts, useTranslation } from '../../platform/i18n/i18n.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Menu } from '../../platform/ui/overlays/menu.tsx'

const loadDialog = () => Promise.all([import('./photo-dialog.tsx'), loadTexts('photos')])
const PhotoDialog = lazy(async () => ({ default: (await loadDialog())[0].PhotoDialog }))

type AttachMenuProps = {
  disabled: boolean
  onAttach: () => void
  /** Takes a photo; null without a touch screen. */
  onPhoto: ((file: File) => void) | null
  /** Picks files of a source; null where none can be added. */
  onPick: (() => void) | null
}

/** Adds files of the device or of a source, or takes a photo, which can be straightened first. */
export function AttachMenu({ disabled, onAttach, onPhoto, onPick }: AttachMenuProps) {
  const { t } = useTranslation('documents')
  const [photo, setPhoto] = useState<File | null>(null)
  const takePhoto = () => {
    // Its code comes while the person takes the photo.
    void loadDialog().catch(() => undefined)
    askForPhoto(setPhoto)
  }
  return (
    <>
      <Menu
        entries={[
          { label: t('chat.from_device'), icon: <Paperclip aria-hidden />, onSelect: onAttach },
          ...(onPhoto ? [{ label: t('chat.photo'), icon: <Camera aria-hidden />, onSelect: takePhoto }] : []),
          ...(onPick
            ? [{ label: t('chat.from_source'), icon: <CloudDownload aria-hidden />, onSelect: onPick }]
            : []),
        ]}
        trigger={
          <IconButton name={t('chat.attach')} disabled={disabled}>
            <Paperclip aria-hidden className="icon" />
          </IconButton>
        }
      />
      {photo && onPhoto && (
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
