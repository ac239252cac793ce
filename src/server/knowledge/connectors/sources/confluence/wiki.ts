import type { Readable } from 'node:stream'
import * as z from 'zod'
import { SignedOut, type SourceItem } from '../../define-connector.ts'
import type { JsonRequests } from '../../requests/json-requests.ts'

/** A space; its name is that of its folder when content is listed. */
export type Space = { id: string; key: string; name: string }

/** Items with the cursor behind them; null at the end. */
export type WikiPage = { items: SourceItem[]; next: string | null }

/** A wiki of Confluence Cloud or Data Center. */
export type Wiki = {
  host: string
  /** @throws SignedOut also when the site takes the token for none and shows only what is public */
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

const Me = z.object({ type: z.nullish(z.string()) })

/** A site may answer an invalid token as it answers people who are not signed in. @throws SignedOut */
export async function assertSignedIn(requests: JsonRequests): Promise<void> {
  const { type } = await requests.ask('rest/api/user/current', Me)
  if (type === 'anonymous') throw new SignedOut(`${requests.host} refuses the sign-in.`)
}
