import { lazy, type MouseEvent, type ReactNode, Suspense, use, useId, useRef } from 'react'
import type { PassagePlace } from '#shared/platform/citations/passages.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { LinkContext } from '../markdown/context.ts'
import { useCited } from './cited.ts'
import { InBrackets } from './in-brackets.tsx'
import { placeWords } from './place-words.ts'
import { useFloating } from './use-floating.ts'

const PassageCard = lazy(() => import('./passage-card.tsx'))
// Most answers cite no web page.
const PageNumber = lazy(() => import('./page-number.tsx'))
const QueryNumber = lazy(() => import('./links/query-number.tsx'))

/** The number of a citation. It opens the passage in its document, or the page, and shows it on hover and focus. */
export function Citation({ id, number }: { id: string; number: number }) {
  const { t } = useTranslation('streaming_blocks')
  const { passages, queries, isGrowing } = useCited()
  const isInLink = use(LinkContext)
  const passage = passages.get(id)
  if (passage && !isInLink) return <PassageLink {...{ chunkId: id, number, passage }} />
  const query = queries?.get(id)
  if (query)
    return (
      <Suspense fallback={<InBrackets number={number} />}>
        <QueryNumber {...{ id, number, query }} />
      </Suspense>
    )
  // The id of a web page is its address.
  if (id.startsWith('http'))
    return (
      <Suspense fallback={<InBrackets number={number} />}>
        <PageNumber {...{ url: id, number }} />
      </Suspense>
    )
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: there is nothing to open yet.
    // biome-ignore lint/a11y/useSemanticElements: a link without an address is none.
    <span
      role="link"
      aria-disabled
      aria-label={t(isGrowing ? 'citation.pending' : 'citation.unknown', { number })}
      className="cite"
    >
      <InBrackets number={number} />
    </span>
  )
}

type PassageLinkProps = {
  chunkId: string
  number: number
  passage: PassagePlace
  className?: string
  children?: ReactNode
}

/** A link to a passage. Its card shows on hover, on focus, and on the first tap. */
export function PassageLink({ chunkId, number, passage, className = 'cite', children }: PassageLinkProps) {
  const { t } = useTranslation('streaming_blocks')
  const { hrefOf, open } = useCited()
  const link = useRef<HTMLAnchorElement>(null)
  const quote = useId()
  const isTouch = useRef(false)
  const { root, isOpen, setOpen, events } = useFloating()
  const go = async () => {
    const isThere = await open(passage, chunkId)
    setOpen(!isThere)
  }
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (isTouch.current) setOpen(true)
    else void go()
    isTouch.current = false
  }
  const name = t('citation.name', {
    number,
    title: [passage.document_name, placeWords(t, passage, 'long')].filter(Boolean).join(', '),
  })
  return (
    <span ref={root} className="cite-root" {...events}>
      <a
        ref={link}
        href={hrefOf(passage, chunkId)}
        aria-label={name}
        aria-describedby={isOpen ? quote : undefined}
        className={className}
        data-open={isOpen || undefined}
        onPointerDown={({ pointerType }) => {
          isTouch.current = pointerType === 'touch'
        }}
        onClick={onClick}
      >
        {children ?? <InBrackets number={number} />}
      </a>
      {isOpen && (
        <Suspense fallback={null}>
          <PassageCard {...{ chunkId, passage, name, quote }} anchor={link} onOpen={() => void go()} />
        </Suspense>
      )}
    </span>
  )
}
