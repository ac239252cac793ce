import { decide, type ThingKind } from '#shared/identity/grants/decide.ts'
import * as contract from '#shared/identity/grants/grants.ts'
import { closedFeatures } from '../../platform/access/access.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import { type GrantDeps, type ListedThing, listThings } from './list-things.ts'
import { setGrants } from './set-grants.ts'
import { findGrants, findStanding } from './store.ts'

export type { Grantable, GrantDeps } from './list-things.ts'

/** Serves grants: listing, changing and explaining them for one user. */
export function serveGrants(server: Server, deps: GrantDeps): void {
  const { db, grants } = deps
  serve(server, contract.listGrantedThings, {
    handle: async ({ user, query }) => {
      const { things, total, has_more } = await findThings(deps, user, query)
      const said = await findGrants(db, user, query.kind, idsOf(things))
      const items = things.map((thing) => ({ ...thing, grants: said.get(thing.id) ?? [] }))
      return { items, total, has_more }
    },
  })
  serve(server, contract.setGrants, { handle: (call) => setGrants(deps, call) })
  serve(server, contract.explainGrants, {
    handle: async ({ user, params: { userId }, query }) => {
      const { things, total, has_more } = await findThings(deps, user, query)
      const [said, standing, seen] = await Promise.all([
        findGrants(db, user, query.kind, idsOf(things)),
        grants.standingOf(userId),
        findStanding(db, user, userId),
      ])
      const items = await Promise.all(
        things.map(async (thing) => {
          const { may, because } = decide(standing, await grants.about(thing))
          const deciding = 'grants' in because ? because.grants : []
          const decider = because.reason === 'not_named' ? because.decided_by : null
          const company = seen.find(({ company_id }) => company_id === decider)
          return {
            ...{ kind: thing.kind, id: thing.id, name: thing.name, may, reason: because.reason },
            decided_by: company ? { id: company.company_id, name: company.company } : null,
            grants: (said.get(thing.id) ?? []).filter((one) =>
              deciding.some(
                ({ who, id, decided_by }) =>
                  one.who === who && one.id === id && one.decided_by === decided_by,
              ),
            ),
          }
        }),
      )
      return { items, total, has_more, standing: seen.map(({ company_id: _, ...stand }) => stand) }
    },
  })
  serve(server, contract.readClosedFeatures, {
    handle: ({ user }) => closedFeatures(grants, user.id),
  })
}

const idsOf = (things: ListedThing[]) => things.map(({ id }) => id)

type Wanted = { kind: ThingKind; page: number; limit: number; q?: string | undefined }

/** Returns a page of the things of a kind. `q` searches name, id and origin. */
async function findThings(deps: GrantDeps, user: Caller, { kind, page, limit, q = '' }: Wanted) {
  const words = q.trim().toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10)
  const found = (await listThings(deps, user, kind)).filter(({ id, name, from }) => {
    const text = `${name} ${id} ${from ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const skip = (page - 1) * limit
  const things = found.slice(skip, skip + limit)
  return { things, total: found.length, has_more: skip + things.length < found.length }
}
