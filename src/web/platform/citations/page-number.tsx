import { lazy, type MouseEvent, Suspense, use, useId, useRef } from 'react'
import { useTranslation } from '../i18n/i18n.ts'
import { LinkContext } from '../markdown/context.ts'
import { type CitedPage, useCited } from './cited.ts'
import { InBrackets } from './in-brackets.tsx'
import { useFloating } from './use-floating.ts'

const PageCard = lazy(() => import('./page-card.tsx'))

/** The number of a cited web page; hidden if it does not name a page that was read. */
export default function PageNumber({ url, number }: { url: string; number: number }) {
  const { pages, isGrowing } = useCited()
  const isInLink = use(LinkContext)
  const page = pages.get(url)
  if (page) return isInLink ? <InBrackets number={number} /> : <PageLink {...{ number, page }} />
  return isGrowing ? <PendingPage number={number} /> : null
}

/** A link to a cited page, in a new tab. Its card shows on hover, on focus, and on the first tap. */
function PageLink({ number, page }: { number: number; page: CitedPage }) {
  const { t } = useTranslation('streaming_blocks')
  const link = useRef<HTMLAnchorElement>(null)
  const quote = useId()
  const isTouch = useRef(false)
  const { root, isOpen, setOpen, events } = useFloating()
  const onClick = (event: MouseEvent) => {
    if (!isTouch.current) return
    event.preventDefault()
    isTouch.current = false
    setOpen(true)
  }
  const name = t('citation.name', { number, title: page.title })
  return (
    <span ref={root} className="cite-root" {...events}>
      <a
        ref={link}
        href={page.url}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={name}
        aria-describedby={isOpen ? quote : undefined}
        className="cite"
        data-open={isOpen || undefined}
        onPointerDown={({ pointerType }) => {
          isTouch.current = pointerType === 'touch'
        }}
        onClick={onClick}
      >
        <InBrackets number={number} />
      </a>
      {isOpen && (
        <Suspense fallback={null}>
          <PageCard {...{ page, name, quote }} anchor={link} />
        </Suspense>
      )}
    </span>
  )
}

/** The number of a page that is not known yet (ledger WE-06): loading, or not loaded. */
function PendingPage({ number }: { number: number }) {
  const { t } = useTranslation('streaming_blocks')
  const { pages } = useCited()
  const words = t(pages.size > 0 ? 'citation.page_loading' : 'citation.page_not_yet')
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: there is nothing to open yet.
    // biome-ignore lint/a11y/useSemanticElements: a link without an address is none.
    <span role="link" aria-disabled aria-label={`${number}: ${words}`} title={words} className="cite">
      <InBrackets number={number} />
    </span>
  )
}
