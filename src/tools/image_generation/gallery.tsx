import { Download, ImageOff, RotateCcw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMediaUrl } from '../../web/platform/lib/media-url.ts'
import { openAddress } from '../../web/platform/lib/open-address.ts'
import { Button } from '../../web/platform/ui/button.tsx'
import { type TFunction, troubleText, useTranslation } from '../../web/platform/ui/card-parts.ts'
import { saveFile } from '../../web/platform/ui/files/save-file.ts'
import { IconButton } from '../../web/platform/ui/icon-button.tsx'
import { ImageOverlay } from '../../web/platform/ui/overlays/image-overlay.tsx'
import { Skeleton } from '../../web/platform/ui/states/skeleton.tsx'
import { toast } from '../../web/platform/ui/toasts/toasts.ts'
import type { MadeImage, Slot } from './read-images.ts'
import { readReason } from './reasons.ts'

type GalleryProps = { slots: readonly Slot[]; prompt: string; size: string }

/** Shows the images of a call, each at a fixed position. */
export function Gallery({ slots, prompt, size }: GalleryProps) {
  const { t } = useTranslation('tool_ui')
  return (
    <ul
      aria-label={t('image_generation.gallery')}
      className={`grid items-start gap-2 ${slots.length > 1 ? 'grid-cols-2' : 'grid-cols-1'}`}
    >
      {slots.map((slot, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a place.
        <li key={at} className="min-w-0">
          <Place {...{ slot, prompt, size }} number={at + 1} />
        </li>
      ))}
    </ul>
  )
}

/** Explains in the person's language why there is no image; null for an unknown reason. */
export function explainImage(error: string, t: TFunction): string | null {
  const reason = readReason(error)
  return reason ? t(`image_generation.reasons.${reason.name}`, reason.values) : troubleText(t, error)
}

type PlaceProps = Omit<GalleryProps, 'slots'> & { slot: Slot; number: number }

function Place({ slot, number, prompt, size }: PlaceProps) {
  const { t } = useTranslation('tool_ui')
  const alt = t('image_generation.image_of', { number, prompt: prompt.slice(0, 200) })
  if (slot.kind === 'failed')
    return (
      <Notice>
        <p className="text-12 font-medium">{t('image_generation.not_made')}</p>
        <p className="text-12 text-ink-2 wrap-anywhere">{explainImage(slot.error, t) ?? slot.error}</p>
      </Notice>
    )
  if (slot.kind === 'waiting') return <Shape size={size} />
  if (slot.kind === 'preview') return <Preview url={slot.url} {...{ alt, size }} />
  return <Made image={slot.image} {...{ alt, size }} />
}

function Preview({ url, alt, size }: { url: string; alt: string; size: string }) {
  const { data: src } = useMediaUrl(url, { isPreview: true })
  if (!src) return <Shape size={size} />
  return <img src={src} alt={alt} className={look} />
}

const look = 'block max-h-[420px] w-full rounded-row border border-line bg-bg object-contain'

function Made({ image, alt, size }: { image: MadeImage; alt: string; size: string }) {
  const { t } = useTranslation('tool_ui')
  const [isOpen, setOpen] = useState(false)
  const url = image.url ?? image.download_url ?? null
  const name = image.name ?? image.filename ?? image.asset_filename ?? ''
  const { data: src, isError, isFetching, refetch } = useMediaUrl(url)
  const save = async () => {
    try {
      saveFile(await (await openAddress(url ?? '')).blob(), name)
    } catch {
      void toast.error(t('image_generation.not_loaded'))
    }
  }
  if (isError || url === null)
    return (
      <Notice>
        <p className="text-12 text-ink-2">{t('image_generation.not_loaded')}</p>
        <Button
          size="sm"
          busy={isFetching}
          icon={<RotateCcw aria-hidden className="icon-14" />}
          onClick={() => void refetch()}
        >
          {t('common:actions.retry')}
        </Button>
      </Notice>
    )
  if (!src) return <Shape size={size} />
  return (
    <figure className="m-0 grid gap-1">
      <button
        type="button"
        aria-label={t('image_generation.enlarge', { name })}
        className="rounded-row"
        onClick={() => setOpen(true)}
      >
        <img src={src} alt={alt} className={look} />
      </button>
      <figcaption className="flex items-center gap-1 text-12 text-ink-2">
        <span className="min-w-0 flex-1 truncate">{name}</span>
        <IconButton name={t('image_generation.download', { name })} size="sm" onClick={() => void save()}>
          <Download aria-hidden className="icon" />
        </IconButton>
      </figcaption>
      {image.revised_prompt && (
        <p className="text-12 text-ink-3">
          {t('image_generation.revised', { prompt: image.revised_prompt })}
        </p>
      )}
      {isOpen && <ImageOverlay src={src} alt={alt} fileName={name} onClose={() => setOpen(false)} />}
    </figure>
  )
}

/** Reserves the space of an image. */
function Shape({ size }: { size: string }) {
  const [width = 1, height = 1] = size.split('x').map(Number)
  const aspectRatio = Number.isFinite(width / height) ? `${width} / ${height}` : '1 / 1'
  return (
    <div style={{ aspectRatio }}>
      <Skeleton className="h-full w-full rounded-row" />
    </div>
  )
}

const Notice = ({ children }: { children: ReactNode }) => (
  <div className="grid justify-items-center gap-2 rounded-row border border-line p-3 text-center">
    <ImageOff aria-hidden className="icon text-ink-3" />
    {children}
  </div>
)
