import { ImageOff, SquareArrowOutUpRight } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../i18n/i18n.ts'
import { resolveImage } from './links.ts'

/** An image of ours, or a card that links to one elsewhere: loading that would tell its host who reads. */
export function ImageView({ url, title, alt }: { url: string; title: string | null; alt: string }) {
  const { t } = useTranslation('streaming_blocks')
  const [hasFailed, setFailed] = useState(false)
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
  return (
    <span className="md-image">
      <img src={source.src} alt={alt} loading="lazy" decoding="async" onError={() => setFailed(true)} />
      {title && <span className="md-caption">{title}</span>}
    </span>
  )
}

function apiOrigin(): string {
  const base = import.meta.env.VITE_API_BASE
  return base && URL.canParse(base) ? new URL(base).origin : location.origin
}
