import type { ThingKind } from '#shared/identity/grants/decide.ts'
import type { GrantedThing } from '#shared/identity/grants/grants.ts'
import { features } from '#shared/platform/features.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { listGrantedDatabases, listSharedAssistants, listSharedTools } from './store.ts'

export type ListedThing = Omit<GrantedThing, 'grants'>

type Thing = { id: string; name: string; from: string | null }

/** The built-in things of higher domains for which grants exist. */
export type Grantable = {
  models: () => Promise<Thing[]>
  tools: (user: Caller) => Promise<Thing[]>
  assistants: (user: Caller) => Thing[]
}

export type GrantDeps = Platform & { grantable: Grantable }

/**
 * Returns all things of a kind an administrator can decide about: built-in ones and those shared in the companies they
 * administer. Private things are not listed.
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
    case 'database':
      return listed(await listGrantedDatabases(db))
    case 'feature':
      // The interface translates their names.
      return listed(features.map((id) => ({ id, name: id, from: null })))
    default:
      return kind satisfies never
  }
}
