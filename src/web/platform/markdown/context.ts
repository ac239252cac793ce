import { type ComponentProps, type ComponentType, createContext, type ReactNode, useContext } from 'react'
import type { TableWords } from '#shared/platform/markdown/plain-text.ts'
import type { Inline } from '#shared/platform/markdown/tree.ts'

/** What draws a `custom` node: `text` is what stands between its tags. */
export type CustomComponent = ComponentType<{
  attributes: Record<string, string>
  children: readonly Inline[]
  text: string
}>

/** What draws the number of a cited passage or page, by its id, and a piece of a marked stretch. */
export type CitationComponent = ComponentType<{ id: string; number: number }>
/** What draws a link; it is handed what an `a` would be. */
export type LinkComponent = ComponentType<ComponentProps<'a'>>
export type MarkComponent = ComponentType<{ index: number; isEnd: boolean; children: ReactNode }>

export type MarkdownSettings = {
  /** Unique on the page: anchors of footnotes begin with it. */
  id: string
  custom: Record<string, CustomComponent>
  /** Without them a number stands in brackets, and nothing is marked. */
  Citation?: CitationComponent | undefined
  Mark?: MarkComponent | undefined
  Link?: LinkComponent | undefined
}

export const MarkdownContext = createContext<MarkdownSettings>({ id: 'md', custom: {} })

/** Where a view lets tables go besides files. */
export type TableExport = { label: string; run: (table: TableWords) => void }
export const TableExports = createContext<readonly TableExport[]>([])

/** Whether this stands in a link: a click there follows it and nothing else. */
export const LinkContext = createContext(false)

export function useMarkdown(): MarkdownSettings {
  return useContext(MarkdownContext)
}
