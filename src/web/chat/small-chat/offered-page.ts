import { useEffect, useState } from 'react'
import { EXTENSION_ORIGINS } from '#shared/chat/embeds/addresses.ts'
import { MAX_PAGE, type PageToRead } from '#shared/chat/embeds/page-question.ts'

/** Returns the page offered by the browser extension; null outside of it. Only its own pages may offer one. */
export function useOfferedPage(): PageToRead | null {
  const [page, setPage] = useState<PageToRead | null>(null)
  useEffect(() => {
    if (window.parent === window) return
    const hear = ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source !== window.parent || !isExtension(origin)) return
      const offered = readOffer(data)
      if (offered !== undefined) setPage(offered)
    }
    window.addEventListener('message', hear)
    for (const origin of ancestorsOf(window)) window.parent.postMessage({ atrium: 'ready' }, origin)
    return () => window.removeEventListener('message', hear)
  }, [])
  return page
}

const isExtension = (origin: string) =>
  origin === EXTENSION_ORIGINS[0] || origin.startsWith('moz-extension://')

/** Chromium reports who frames a page; elsewhere the message is sent to any origin and contains nothing. */
const ancestorsOf = ({ location }: Window) =>
  location.ancestorOrigins ? [...location.ancestorOrigins].slice(0, 1) : ['*']

/** Null withdraws an offer; undefined is not our message. */
function readOffer(data: unknown): PageToRead | null | undefined {
  if (typeof data !== 'object' || data === null || !('atrium' in data) || data.atrium !== 'page') return
  const { title, url, text, isSelection } = data as unknown as Record<string, unknown>
  if (typeof text !== 'string' || text.trim() === '') return null
  return {
    ...{ title: String(title ?? ''), url: String(url ?? ''), text: text.slice(0, MAX_PAGE) },
    isSelection: isSelection === true,
  }
}
