import { type QueryKey, useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { RefObject } from 'react'
import {
  canPreview,
  cleanDomain,
  FAVICON_SIZE,
  getFavicon,
  getLinkImage,
  getLinkPreview,
  type LinkPreview,
  PREVIEW_HOURS,
  showLinkPreview,
} from '#shared/knowledge/link-previews/link-previews.ts'
import { useTranslation } from '../../i18n/i18n.ts'
import { call, openRoute } from '../../lib/api/call.ts'
import { useToken } from '../../lib/me/token.ts'
import { Button } from '../../ui/button.tsx'
import { FloatingCard } from '../floating-card.tsx'
import './link-card.css'

const DAY_MS = PREVIEW_HOURS * 3_600_000
const kept = { staleTime: DAY_MS, gcTime: DAY_MS, retry: false }

type LinkCardProps = { anchor: RefObject<HTMLElement | null>; url: string }

/** Shows the metadata of a linked page, or its host. A link that cannot have a preview gets no card. */
export default function LinkCard(props: LinkCardProps) {
  return canPreview(props.url) && <Card {...props} />
}

/** The current chat, where the server looks up who wrote the address. */
function useChatOnPage(): string | undefined {
  const router = useRouter({ warn: false }) as ReturnType<typeof useRouter> | undefined
  return /^\/chat\/([0-9a-f-]{36})/.exec((router?.state.location ?? location).pathname)?.[1]
}

function Card({ anchor, url }: LinkCardProps) {
  const { t } = useTranslation('streaming_blocks')
  const isSignedIn = useToken() !== null
  const session_id = useChatOnPage()
  const { data, isLoading } = useQuery({
    queryKey: ['link-preview', url, session_id],
    queryFn: ({ signal }) =>
      call(getLinkPreview, { query: { url, ...(session_id && { session_id }) }, signal }),
    enabled: isSignedIn,
    ...kept,
  })
  const show = useMutation({ mutationFn: () => call(showLinkPreview, { body: { url } }), retry: false })
  const preview = show.data ?? data
  const domain = preview?.cleanDomain ?? cleanDomain(url)
  return (
    <FloatingCard anchor={anchor} name={t('link.preview', { domain })}>
      {isLoading || show.isPending ? (
        <Loading />
      ) : preview?.fetched === false || !isSignedIn ? (
        <Unasked url={url} onShow={isSignedIn ? () => show.mutate() : null} />
      ) : (
        <Preview url={url} domain={domain} preview={preview} />
      )}
    </FloatingCard>
  )
}

/** A link that was not fetched: shows its whole address, because a request would reveal it to its host. */
function Unasked({ url, onShow }: { url: string; onShow: (() => void) | null }) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <span className="link-card">
      <span className="link-card-text">
        {onShow && <span className="link-card-about">{t('link.unasked')}</span>}
        <bdi dir="ltr" className="link-card-address">
          {url}
        </bdi>
        {onShow && (
          <Button size="sm" className="mt-1 justify-self-start" onClick={onShow}>
            {t('link.show')}
          </Button>
        )}
      </span>
    </span>
  )
}

type PreviewProps = { url: string; domain: string; preview: LinkPreview | undefined }

function Preview({ url, domain, preview }: PreviewProps) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className="link-card">
      {preview?.imageUrl && <Picture url={url} />}
      <span className="link-card-text">
        <span className="link-card-title">{preview?.title ?? shortAddress(url)}</span>
        {preview?.description && <span className="link-card-about">{preview.description}</span>}
        <span className="link-card-site">
          <Favicon host={new URL(url).host} letter={domain} />
          <span className="truncate">{domain}</span>
          {preview?.publisher && <span className="link-card-publisher">{preview.publisher}</span>}
        </span>
      </span>
    </a>
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

/** The icon of a host, otherwise its first letter. */
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

/** Returns a file that needs the person's token as an address for the browser. */
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
