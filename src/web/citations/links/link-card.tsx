import { type QueryKey, useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import {
  canPreview,
  cleanDomain,
  FAVICON_SIZE,
  getFavicon,
  getLinkImage,
  getLinkPreview,
  PREVIEW_HOURS,
} from '#shared/link-previews/link-previews.ts'
import { useTranslation } from '../../i18n/i18n.ts'
import { call, openRoute } from '../../lib/call.ts'
import { FloatingCard } from '../floating-card.tsx'
import './link-card.css'

const DAY_MS = PREVIEW_HOURS * 3_600_000
const kept = { staleTime: DAY_MS, gcTime: DAY_MS, retry: false }

type LinkCardProps = { anchor: RefObject<HTMLElement | null>; url: string }

/** What the page of a link says of itself; where it says nothing, its server. A link that can have none stays alone. */
export default function LinkCard(props: LinkCardProps) {
  return canPreview(props.url) && <Card {...props} />
}

function Card({ anchor, url }: LinkCardProps) {
  const { t } = useTranslation('streaming_blocks')
  const { data, isPending } = useQuery({
    queryKey: ['link-preview', url],
    queryFn: ({ signal }) => call(getLinkPreview, { query: { url }, signal }),
    ...kept,
  })
  const domain = data?.cleanDomain ?? cleanDomain(url)
  return (
    <FloatingCard anchor={anchor} name={t('link.preview', { domain })}>
      {isPending ? (
        <Loading />
      ) : (
        <a href={url} target="_blank" rel="noopener noreferrer" className="link-card">
          {data?.imageUrl && <Picture url={url} />}
          <span className="link-card-text">
            <span className="link-card-title">{data?.title ?? shortAddress(url)}</span>
            {data?.description && <span className="link-card-about">{data.description}</span>}
            <span className="link-card-site">
              <Favicon host={new URL(url).host} letter={domain} />
              <span className="truncate">{domain}</span>
              {data?.publisher && <span className="link-card-publisher">{data.publisher}</span>}
            </span>
          </span>
        </a>
      )}
    </FloatingCard>
  )
}

function Loading() {
  const { t } = useTranslation('streaming_blocks')
  return (
    <span role="status" className="link-card">
      <span className="sr-only">{t('link.loading')}</span>
      <span aria-hidden className="link-card-picture" data-loading />
      <span aria-hidden className="link-card-text" data-loading>
        <span />
        <span />
        <span />
      </span>
    </span>
  )
}

function Picture({ url }: { url: string }) {
  const { data: src, isPending } = useFile(['link-image', url], (signal) =>
    openRoute(getLinkImage, { query: { url }, signal }),
  )
  if (!src && !isPending) return null
  return (
    <span className="link-card-picture" data-loading={isPending || undefined}>
      {src && <img src={src} alt="" decoding="async" />}
    </span>
  )
}

/** The icon of a server, else its first letter. */
function Favicon({ host, letter }: { host: string; letter: string }) {
  const { data: src } = useFile(['favicon', host], (signal) =>
    openRoute(getFavicon, { query: { domain: host, sz: `${FAVICON_SIZE}` }, signal }),
  )
  return (
    <span aria-hidden className="page-letter">
      {src ? <img src={src} alt="" className="size-4" /> : letter.slice(0, 1).toUpperCase()}
    </span>
  )
}

/** A file that needs the person's token, as an address the browser can draw. */
function useFile(queryKey: QueryKey, open: (signal: AbortSignal) => Promise<Response>) {
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const response = await open(signal)
      return response.status === 204 ? null : URL.createObjectURL(await response.blob())
    },
    ...kept,
    gcTime: Number.POSITIVE_INFINITY,
  })
}

const shortAddress = (url: string) => url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')
