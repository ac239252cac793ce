import { setImmediate as nextTurn } from 'node:timers/promises'
import * as contract from '#shared/chat/search/search.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { type Call, type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { searchFairly } from '../sessions/sessions.ts'
import { excerptOf } from './excerpt.ts'
import { fillTexts } from './fill-texts-store.ts'
import { servePalette } from './palette/palette.ts'
import { readQuery, type Term } from './read-query.ts'
import { type FoundText, findTexts, type Wanted } from './store.ts'

type Query = Call<typeof contract.searchEverything>['query']

/** Serves the search page, which finds messages, passages, prompts and facts by their words, and the palette. */
export function serveSearchPage(server: Server, deps: Deps): void {
  const { db, searchDb, jobs } = deps
  servePalette(server, deps)
  jobs.register('fill-search-texts', (_, signal) => fillTexts(db, signal), { cron: '* * * * *' })
  serve(server, contract.searchEverything, {
    handle: async ({ user, query }) => {
      const project = query.workspace_id
        ? await findAllowed(db, user, 'read workspace', query.workspace_id)
        : null
      const terms = readQuery(query.q)
      const kinds = kindsOf(query)
      const wanted = wantedOf(query, terms)
      // A search without letters or digits finds nothing.
      if (terms.length === 0) {
        const groups = kinds.map((kind) => ({ kind, items: [], cursor: null }))
        return { groups, project_name: project?.name ?? null }
      }
      const found = await searchFairly(searchDb, user.id, async (trx) => {
        const all = []
        for (const kind of kinds) all.push({ kind, texts: await findTexts(trx, user, kind, wanted) })
        return all
      })
      const groups = []
      for (const { kind, texts } of found) groups.push(await toGroup(kind, texts, query.limit, terms))
      return { groups, project_name: project?.name ?? null }
    },
  })
}

/** A cursor belongs to one type. */
function kindsOf({ kinds, after }: Query): contract.SearchKind[] {
  const wanted = contract.searchKinds.filter((kind) => !kinds || kinds.split(',').includes(kind))
  return after ? wanted.slice(0, 1) : wanted
}

/** Asks for one hit more, which tells whether there are more. */
function wantedOf(query: Query, terms: readonly Term[]): Wanted {
  const { workspace_id, person_id, from, to, model, tag, after, limit } = query
  const [micros, id] = after?.split('_') ?? []
  return {
    ...{ terms, limit: limit + 1, workspaceId: workspace_id, personId: person_id, model, tag },
    ...{ from: from ? new Date(from) : undefined, to: to ? new Date(to) : undefined },
    ...(micros && id && { after: { micros, id } }),
  }
}

/** Makes a group of hits. Other requests get their turn after each, because an excerpt of a long text takes milliseconds. */
async function toGroup(
  kind: contract.SearchKind,
  found: readonly FoundText[],
  limit: number,
  terms: readonly Term[],
) {
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  const items = []
  for (const hit of shown) {
    items.push(toHit(hit, terms))
    await nextTurn()
  }
  return { kind, items, cursor: found.length > limit && last ? `${last.micros}_${last.id}` : null }
}

function toHit(hit: FoundText, terms: readonly Term[]): contract.SearchHit {
  const { text, at, micros: _, person_id, person, project_id, project, ...rest } = hit
  return {
    ...rest,
    excerpt: excerptOf(hit.is_title ? hit.title : text, terms),
    at: at.toISOString(),
    person: { id: person_id, name: person },
    project: project_id && project ? { id: project_id, name: project } : null,
  }
}
