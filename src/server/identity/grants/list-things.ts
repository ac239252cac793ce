import type { ThingKind } from '#shared/identity/grants/decide.ts'
import type { GrantedThing } from '#shared/identity/grants/grants.ts'
import { features } from '#shared/platform/features.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { listSharedAssistants, listSharedTools } from './store.ts'

export type ListedThing = Omit<GrantedThing, 'grants'>

type Thing = { id: string; name: string; from: string | null }

/** What the features above offer to everybody: the things that grants are given for. */
export type Grantable = {
  models: () => Promise<Thing[]>
  tools: (user: Caller) => Promise<Thing[]>
  assistants: (user: Caller) => Thing[]
}

export type GrantDeps = Platform & { grantable: Grantable }

/**
 * All things of a kind that an administrator decides about: what the product offers to everybody, and what is shared in
 * the companies they administer. Private things are not listed.
 */
export async function listThings(
  { db, grantable }: GrantDeps,
  user: Caller,
  kind: ThingKind,
): Promise<ListedThing[]> {
  const listed = (things: Thing[]) => things.map((thing) => ({ kind, ...thing }))
  switch (kind) {
    case 'model':
      return listed(await grantable.models())
    case 'tool':
      return listed([...(await grantable.tools(user)), ...(await listSharedTools(db, user))])
    case 'assistant':
      return listed([...grantable.assistants(user), ...(await listSharedAssistants(db, user))])
    case 'feature':
      // The interface has their names in the language of the reader.
      return listed(features.map((id) => ({ id, name: id, from: null })))
    default:
      return kind satisfies never
  }
}
