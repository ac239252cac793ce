import { createElement, Fragment, memo, Suspense } from 'react'
import {
  directionOfBlock,
  directionOfBlocks,
  directionOfInlines,
} from '#shared/platform/markdown/direction.ts'
import type { Block, Footnote, Inline, ListBlock, ListItem } from '#shared/platform/markdown/tree.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { CodeView } from './code/code-view.tsx'
import { useMarkdown } from './context.ts'
import { DiagramView } from './diagram/lazy-diagram.tsx'
import { followAnchor, Inlines } from './inlines.tsx'
import { MathView } from './math-view.tsx'
import { TableView } from './table-view.tsx'

/** Renders blocks as elements. A block with the same identity is not rendered again. */
export function Blocks({ blocks, growing = false }: { blocks: readonly Block[]; growing?: boolean }) {
  return blocks.map((block, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end.
    <BlockView key={at} block={block} growing={growing && at === blocks.length - 1} />
  ))
}

const BlockView = memo(function BlockView({ block, growing }: { block: Block; growing: boolean }) {
  switch (block.type) {
    case 'paragraph':
      return (
        <p dir={autoFor(block.children)}>
          <Inlines nodes={block.children} />
        </p>
      )
    case 'heading':
      // The page has two heading levels of its own above an answer.
      return createElement(
        `h${Math.min(block.level + 2, 6)}`,
        { 'data-level': block.level, dir: autoFor(block.children) },
        <Inlines nodes={block.children} />,
      )
    case 'code':
      return block.lang?.toLowerCase() === 'mermaid' ? (
        <Suspense fallback={<CodeView block={block} growing={growing} />}>
          <DiagramView block={block} growing={growing} />
        </Suspense>
      ) : (
        <CodeView block={block} growing={growing} />
      )
    case 'math':
      return (
        <div className="md-math-block" dir="ltr">
          <MathView tex={block.tex} display open={block.open && growing} />
        </div>
      )
    case 'list':
      return <ListView block={block} growing={growing} />
    case 'quote':
      return (
        <blockquote dir={directionOfBlock(block) ?? undefined}>
          <Blocks blocks={block.children} growing={growing} />
        </blockquote>
      )
    case 'table':
      return <TableView block={block} growing={growing} />
    case 'rule':
      return <hr />
    case 'html':
    case 'plain':
      return (
        <p className="md-raw" dir="auto">
          {block.text}
        </p>
      )
    case 'footnotes':
      return <Footnotes items={block.items} />
  }
})

function ListView({ block, growing }: { block: ListBlock; growing: boolean }) {
  const items = block.items.map((item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items are only ever added at the end.
    <Item key={at} item={item} loose={block.loose} growing={growing && at === block.items.length - 1} />
  ))
  const dir = directionOfBlock(block) ?? undefined
  if (!block.ordered) return <ul dir={dir}>{items}</ul>
  return (
    <ol dir={dir} start={block.start === 1 ? undefined : block.start}>
      {items}
    </ol>
  )
}

/** Blocks without letters take the direction of their container. */
const autoFor = (nodes: readonly Inline[]) => (directionOfInlines(nodes) ? 'auto' : undefined)

const Item = memo(function Item({
  item,
  loose,
  growing,
}: {
  item: ListItem
  loose: boolean
  growing: boolean
}) {
  const { t } = useTranslation('streaming_blocks')
  const content = item.children.map((child, at) => {
    const isLast = growing && at === item.children.length - 1
    // In a tight list the text is directly in the item.
    if (!loose && child.type === 'paragraph')
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end.
        <Fragment key={at}>
          <Inlines nodes={child.children} />
        </Fragment>
      )
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end.
    return <BlockView key={at} block={child} growing={isLast} />
  })
  const dir = directionOfBlocks(item.children) ?? undefined
  if (item.checked === null) return <li dir={dir}>{content}</li>
  return (
    <li className="md-task" dir={dir}>
      <input
        type="checkbox"
        checked={item.checked}
        disabled
        aria-label={t(item.checked ? 'markdown.done' : 'markdown.open')}
      />
      <div>{content}</div>
    </li>
  )
})

function Footnotes({ items }: { items: readonly Footnote[] }) {
  const { id } = useMarkdown()
  const { t } = useTranslation('streaming_blocks')
  return (
    <section className="md-notes" aria-label={t('markdown.footnotes')}>
      <ol>
        {items.map((item) => (
          <li
            key={item.label}
            id={`${id}-note-${item.label}`}
            tabIndex={-1}
            dir={directionOfBlocks(item.children) ?? undefined}
          >
            <Blocks blocks={item.children} />
            <a
              href={`#${id}-ref-${item.label}`}
              aria-label={t('markdown.footnote_back', { number: item.number })}
              onClick={(event) => followAnchor(event, `${id}-ref-${item.label}`)}
            >
              ↩
            </a>
          </li>
        ))}
      </ol>
    </section>
  )
}
