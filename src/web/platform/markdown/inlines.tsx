import { createElement, lazy, type MouseEvent, memo, Suspense } from 'react'
import { plainText } from '#shared/platform/markdown/plain-text.ts'
import type { Inline } from '#shared/platform/markdown/tree.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { queryClient } from '../lib/api/query-client.ts'
import { meQuery } from '../lib/me/me.ts'
import { isSuperAdmin } from '../lib/me/roles.ts'
import { LinkContext, useMarkdown } from './context.ts'
import { MODELS_PAGE, safeLink } from './links.ts'
import { MathView } from './math-view.tsx'

// Most texts have no image.
const ImageView = lazy(() => import('./image-view.tsx'))

/** Renders inline content; parts with the same identity are not rendered again. */
export const Inlines = memo(function Inlines({ nodes }: { nodes: readonly Inline[] }) {
  return nodes.map((node, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: content only grows at its end.
    node.type === 'text' ? node.text : <InlineView key={at} node={node} />,
  )
})

const elements = {
  strong: 'strong',
  emphasis: 'em',
  delete: 'del',
  kbd: 'kbd',
  sub: 'sub',
  sup: 'sup',
} as const

const InlineView = memo(function InlineView({ node }: { node: Exclude<Inline, { type: 'text' }> }) {
  switch (node.type) {
    case 'code':
      return <code dir="ltr">{node.text}</code>
    case 'math':
      return <MathView tex={node.tex} display={node.display} />
    case 'link':
      return <LinkView url={node.url} title={node.title} nodes={node.children} />
    case 'image':
      return (
        <Suspense fallback={node.alt}>
          <ImageView url={node.url} title={node.title} alt={node.alt} />
        </Suspense>
      )
    case 'break':
      return <br />
    case 'footnote-reference':
      return <FootnoteReference number={node.number} label={node.label} first={node.first} />
    case 'custom':
      return <CustomView node={node} />
    case 'citation':
      return <CitationView id={node.id} number={node.number} />
    case 'mark':
      return <MarkView node={node} />
    default:
      return createElement(elements[node.type], null, <Inlines nodes={node.children} />)
  }
})

/** Links open a new tab without access to this page. */
function LinkView({ url, title, nodes }: { url: string; title: string | null; nodes: readonly Inline[] }) {
  const href = url === MODELS_PAGE && maySeeModels() ? url : safeLink(url)
  const { Link = 'a' } = useMarkdown()
  if (!href) return <Inlines nodes={nodes} />
  return (
    <Link href={href} title={title ?? undefined} target="_blank" rel="noopener noreferrer">
      <LinkContext value={true}>
        <Inlines nodes={nodes} />
      </LinkContext>
    </Link>
  )
}

/** People who may not open the page only see its name. */
const maySeeModels = () => isSuperAdmin(queryClient.getQueryData(meQuery.queryKey) ?? null)

function CustomView({ node }: { node: Extract<Inline, { type: 'custom' }> }) {
  const Component = useMarkdown().custom[node.name]
  if (!Component) return <Inlines nodes={node.children} />
  return (
    <Component attributes={node.attributes} text={plainText(node.children)}>
      {node.children}
    </Component>
  )
}

function CitationView({ id, number }: { id: string; number: number }) {
  const { Citation } = useMarkdown()
  return Citation ? <Citation id={id} number={number} /> : `[${number}]`
}

function MarkView({ node: { index, isEnd, children } }: { node: Extract<Inline, { type: 'mark' }> }) {
  const { Mark } = useMarkdown()
  const content = <Inlines nodes={children} />
  return Mark ? (
    <Mark index={index} isEnd={isEnd}>
      {content}
    </Mark>
  ) : (
    content
  )
}

function FootnoteReference({ number, label, first }: { number: number; label: string; first: boolean }) {
  const { id } = useMarkdown()
  const { t } = useTranslation('streaming_blocks')
  const target = `${id}-note-${label}`
  return (
    <sup className="md-note-ref">
      <a
        id={first ? `${id}-ref-${label}` : undefined}
        href={`#${target}`}
        aria-label={t('markdown.footnote', { number })}
        onClick={(event) => followAnchor(event, target)}
      >
        {number}
      </a>
    </sup>
  )
}

/** Scrolls to an anchor without changing the address, which the router owns. */
export function followAnchor(event: MouseEvent, id: string): void {
  event.preventDefault()
  const target = document.getElementById(id)
  target?.scrollIntoView({ block: 'center' })
  target?.focus({ preventScroll: true })
}
