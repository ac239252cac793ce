import type { Readable } from 'node:stream'
import type { SourceItem } from '../../define-connector.ts'

/** A space; its name is that of its folder when content is listed. */
export type Space = { id: string; key: string; name: string }

/** Items with the cursor behind them; null at the end. */
export type WikiPage = { items: SourceItem[]; next: string | null }

/** A wiki of Confluence Cloud or Data Center. */
export type Wiki = {
  host: string
  check(): Promise<void>
  spaces(): Promise<Space[]>
  content(wish: {
    space: Space
    kind: 'page' | 'blogpost'
    next: string | null
    mayRestart: boolean
  }): Promise<WikiPage>
  /** Lists attachments of spaces, whose folders are given by id. Without it they are among the content. */
  attachments?(folders: ReadonlyMap<string, string>, next: string | null): Promise<WikiPage>
  read(id: string, signal: AbortSignal): Promise<Readable>
}

/** Ids of items begin with the kind of their content. */
export const idOf = (kind: 'page' | 'blogpost' | 'attachment', id: string): string => `${kind}:${id}`

export function partsOfId(id: string): { kind: string; id: string } {
  const at = id.indexOf(':')
  return { kind: id.slice(0, at), id: id.slice(at + 1) }
}
