import { type ComponentType, createContext, useContext } from 'react'
import type { Inline } from './syntax/tree.ts'

/** What draws a `custom` node: `text` is what stands between its tags. */
export type CustomComponent = ComponentType<{
  attributes: Record<string, string>
  children: readonly Inline[]
  text: string
}>

export type MarkdownSettings = {
  /** Unique on the page: anchors of footnotes begin with it. */
  id: string
  custom: Record<string, CustomComponent>
}

export const MarkdownContext = createContext<MarkdownSettings>({ id: 'md', custom: {} })

/** Whether this stands in a link: a click there follows it and nothing else. */
export const LinkContext = createContext(false)

export function useMarkdown(): MarkdownSettings {
  return useContext(MarkdownContext)
}
