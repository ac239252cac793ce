import { type ComponentProps, type ComponentType, createContext, type ReactNode, useContext } from 'react'
import type { TableWords } from '#shared/platform/markdown/plain-text.ts'
import type { Inline } from '#shared/platform/markdown/tree.ts'

/** Renders a `custom` node; `text` is the content of its tag. */
export type CustomComponent = ComponentType<{
  attributes: Record<string, string>
  children: readonly Inline[]
  text: string
}>

/** Renders the number of a cited passage or page by its id, and a piece of a marked range. */
export type CitationComponent = ComponentType<{ id: string; number: number }>
/** Renders a link with the props of an `a`. */
export type LinkComponent = ComponentType<ComponentProps<'a'>>
export type MarkComponent = ComponentType<{ index: number; isEnd: boolean; children: ReactNode }>

export type MarkdownSettings = {
  /** Unique on the page; prefix of footnote anchors. */
  id: string
  custom: Record<string, CustomComponent>
  /** Without them, a number is in brackets, and nothing is marked. */
  Citation?: CitationComponent | undefined
  Mark?: MarkComponent | undefined
  Link?: LinkComponent | undefined
}

export const MarkdownContext = createContext<MarkdownSettings>({ id: 'md', custom: {} })

/** Export targets of tables other than files. */
export type TableExport = { label: string; run: (table: TableWords) => void }
export const TableExports = createContext<readonly TableExport[]>([])

/** Whether this is inside a link, where a click only follows it. */
export const LinkContext = createContext(false)

export function useMarkdown(): MarkdownSettings {
  return useContext(MarkdownContext)
}
