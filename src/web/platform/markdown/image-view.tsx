import { ImageOff, SquareArrowOutUpRight } from 'lucide-react'
import { lazy, Suspense, useContext, useState } from 'react'
import { ASSETS_PATH } from '#shared/platform/http.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { ImageOverlay } from '../ui/overlays/image-overlay.tsx'
import { LinkContext } from './context.ts'
import { resolveImage } from './links.ts'

const AssetImage = lazy(() => import('./asset-image.tsx'))

/**
 * One of our images, which opens in full window on click, or a card that links to an external one, because loading it would
 * reveal the reader to its host.
 */
export default function ImageView({ url, title, alt }: { url: string; title: string | null; alt: string }) {
  const { t } = useTranslation('streaming_blocks')
  const [hasFailed, setFailed] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const [fetched, setFetched] = useState<string | null>(null)
  const isInLink = useContext(LinkContext)
  const source = resolveImage(url, apiOrigin())
  if (source.kind === 'external')
    return (
      <a className="md-image-card" href={source.url} target="_blank" rel="noopener noreferrer">
        <SquareArrowOutUpRight aria-hidden className="icon" />
        <span>
          <span className="md-image-name">{alt || t('markdown.image')}</span>
          <span className="md-image-host">{t('markdown.external_image', { host: source.host })}</span>
        </span>
      </a>
    )
  if (source.kind === 'none' || hasFailed)
    return (
      <span className="md-image-card">
        <ImageOff aria-hidden className="icon" />
        <span>
          <span className="md-image-name">{alt || t('markdown.image')}</span>
          <span className="md-image-host">{t('markdown.image_failed')}</span>
        </span>
      </span>
    )
  const fail = () => setFailed(true)
  // Only files of tools get the person's token, because some of our other addresses have side effects.
  const image = isAsset(source.src) ? (
    <Suspense fallback={alt}>
      <AssetImage src={source.src} alt={alt} onFailed={fail} onLoaded={setFetched} />
    </Suspense>
  ) : (
    <img src={source.src} alt={alt} loading="lazy" decoding="async" onError={fail} />
  )
  return (
    <span className="md-image">
      {isInLink ? (
        image
      ) : (
        <button
          type="button"
          className="md-image-open"
          aria-label={alt || t('markdown.image')}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          {image}
        </button>
      )}
      {title && <span className="md-caption">{title}</span>}
      {isOpen && (
        <ImageOverlay
          src={fetched ?? source.src}
          alt={alt}
          fileName={nameOf(source.src)}
          onClose={() => setOpen(false)}
        />
      )}
    </span>
  )
}

const isAsset = (src: string) => /^https?:/.test(src) && new URL(src).pathname.startsWith(ASSETS_PATH)

/** Returns the last path segment as a file name. */
function nameOf(src: string): string {
  return new URL(src).pathname.split('/').at(-1) || 'image'
}

function apiOrigin(): string {
  const base = import.meta.env.VITE_API_BASE
  return base && URL.canParse(base) ? new URL(base).origin : location.origin
}
