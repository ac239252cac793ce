import { useState } from 'react'
import type { NamedFile } from '#shared/tools/media/media.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMediaUrl } from '../../../platform/lib/media-url.ts'
import { ImageOverlay } from '../../../platform/ui/overlays/image-overlay.tsx'

/** Returns whether a value of a result is a picture the tool stored. */
export function isStoredPicture(value: object): value is NamedFile {
  const { type, media_type, url } = value as Record<string, unknown>
  return type === 'media_reference' && typeof url === 'string' && String(media_type).startsWith('image/')
}

/** A stored picture, enlarged on click. */
export function StoredPicture({ picture }: { picture: NamedFile }) {
  const { t } = useTranslation('tool_ui')
  const [isOpen, setOpen] = useState(false)
  const name = picture.name ?? picture.asset_filename ?? ''
  const { data: src, isError } = useMediaUrl(picture.url ?? null)
  if (isError) return <>{t('image_generation.not_loaded')}</>
  if (!src) return <span className="block h-24 w-32 rounded-row bg-surface-2" />
  return (
    <>
      <button
        type="button"
        aria-label={t('image_generation.enlarge', { name })}
        className="rounded-row"
        onClick={() => setOpen(true)}
      >
        <img
          src={src}
          alt={name}
          className="block max-h-60 max-w-full rounded-row border border-line bg-bg object-contain"
        />
      </button>
      {isOpen && <ImageOverlay src={src} alt={name} fileName={name} onClose={() => setOpen(false)} />}
    </>
  )
}
