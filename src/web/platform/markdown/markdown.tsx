import clsx from 'clsx'
import { memo, useId, useMemo, useState } from 'react'
import { createDocument, type MarkdownDocument, parseMarkdown } from '#shared/platform/markdown/document.ts'
import type { Mark } from '#shared/platform/markdown/marks.ts'
import { loadRepair } from '#shared/platform/markdown/repair.ts'
import type { Block } from '#shared/platform/markdown/tree.ts'
import { Blocks } from './blocks.tsx'
import {
  type CitationComponent,
  type CustomComponent,
  type LinkComponent,
  type MarkComponent,
  MarkdownContext,
} from './context.ts'
import './markdown.css'

export { warmHighlighter } from './code/highlight.ts'
export type { CitationComponent, CustomComponent, LinkComponent, MarkComponent } from './context.ts'

export type MarkdownProps = {
  text: string
  /** More text is expected: only changes are parsed and rendered, and open syntax at the end is closed. */
  growing?: boolean
  /** Renderers of other features' tags, by tag name. Keep the object stable, because a new one rerenders everything. */
  custom?: Record<string, CustomComponent>
  /** Renders the number of a cited passage. */
  Citation?: CitationComponent
  /** Ranges of a finished text, and their renderer. */
  marks?: readonly Mark[]
  Mark?: MarkComponent
  /** Renders links. */
  Link?: LinkComponent
  className?: string
}

const noCustom = {}

// Off the first page, yet there before a reply grows. Without it, open marks are shown as written.
void loadRepair().catch(() => undefined)

/** Renders Markdown with GFM and math from data; HTML in it is shown as text. */
export const Markdown = memo(function Markdown({
  text,
  growing = false,
  custom = noCustom,
  Citation,
  marks,
  Mark,
  Link,
  className,
}: MarkdownProps) {
  const id = useId()
  const settings = useMemo(() => ({ id, custom, Citation, Mark, Link }), [id, custom, Citation, Mark, Link])
  const blocks = useBlocks(text, growing, custom, marks)
  return (
    <MarkdownContext value={settings}>
      <div className={clsx('md', growing && 'md-growing', className)}>
        <Blocks blocks={blocks} growing={growing} />
      </div>
    </MarkdownContext>
  )
})

function useBlocks(
  text: string,
  growing: boolean,
  custom: Record<string, CustomComponent>,
  marks: readonly Mark[] | undefined,
): Block[] {
  const tags = useMemo(() => Object.keys(custom), [custom])
  // A text that was complete from the start needs no growing document.
  const [document] = useState<MarkdownDocument | null>(() => (growing ? createDocument({ tags }) : null))
  return document ? document.update(text, !growing, marks) : readFinished(text, tags, marks)
}

/** Recently rendered finished texts, so that scrolling back does not parse them again. */
const finished = new Map<string, Block[]>()
const mostFinished = 400

function readFinished(text: string, tags: readonly string[], marks: readonly Mark[] = []): Block[] {
  const places = marks.map(({ at, length }) => `${at}+${length}`)
  const key = `${tags.join(' ')} ${places.join(' ')}\n${text}`
  const known = finished.get(key)
  if (known) return known
  const blocks = parseMarkdown(text, { tags, marks })
  if (finished.size >= mostFinished) finished.delete(finished.keys().next().value!)
  finished.set(key, blocks)
  return blocks
}
