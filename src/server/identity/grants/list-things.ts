import type { ThingKind } from '#shared/identity/grants/decide.ts'
import type { GrantedThing } from '#shared/identity/grants/grants.ts'
import { features } from '#shared/platform/features.ts'
import { builtInAssistants } from '../../chat/assistants/assistants.ts'
import type { Deps } from '../../deps.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { listSharedAssistants, listSharedTools } from './store.ts'

export type ListedThing = Omit<GrantedThing, 'grants'>

/**
 * All things of a kind that an administrator decides about: what the house offers to everybody, and what is shared in the companies they
 * administer. What somebody made for themselves is theirs alone, and no decision of anybody's.
 */
export async function listThings(deps: Deps, user: Caller, kind: ThingKind): Promise<ListedThing[]> {
  switch (kind) {
    case 'model':
      return listModels(deps)
    case 'tool': {
      const ofProduct = await Promise.all(deps.tools.ids.map((id) => deps.tools.read(id, user.id)))
      const own = ofProduct.flatMap((tool) =>
        tool ? [{ kind, id: tool.contract.id, name: tool.contract.name, from: null }] : [],
      )
      return [...own, ...(await listSharedTools(deps.db, user)).map((tool) => ({ kind, ...tool }))]
    }
    case 'assistant': {
      const builtIn = builtInAssistants(user.language).map(({ id, name }) => ({ kind, id, name, from: null }))
      return [...builtIn, ...(await listSharedAssistants(deps.db, user)).map((one) => ({ kind, ...one }))]
    }
    case 'feature':
      // The interface has their names in the language of who reads.
      return features.map((id) => ({ kind, id, name: id, from: null }))
    default:
      return kind satisfies never
  }
}

/** Those of chats, then those that make vectors, which programs ask for by name. */
async function listModels({ models }: Deps): Promise<ListedThing[]> {
  const [chats, embeddings] = await Promise.all([models.list(), models.embeddings()])
  const things = [
    ...chats.map(({ id, name, provider_name }) => ({ id, name, from: provider_name })),
    ...embeddings.map(({ id, name, provider_name }) => ({ id, name, from: provider_name })),
  ]
  const byId = new Map(things.map((thing) => [thing.id, { kind: 'model' as const, ...thing }]))
  return [...byId.values()]
}
