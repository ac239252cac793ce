import type { Fact } from '#shared/chat/memory/fact.ts'
import * as contract from '#shared/chat/memory/memory.ts'
import { AppError } from '#shared/platform/errors.ts'
import { findAllowed, type Person } from '../../platform/access/access.ts'
import type { Database } from '../../platform/db/db.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { decideFact } from './decide-fact.ts'
import { absorbFact, listCompared, listFacts, lockFact, readFact, replaceText } from './fact-store.ts'
import { forgetFacts } from './forget-facts.ts'
import { findRelated, learnFact } from './learn-fact.ts'
import { embedFact } from './recall/embed-facts.ts'
import { requireFact } from './rules/check-fact.ts'
import { countTraces } from './trace-store.ts'

/** Serves facts: list, search, export, add, change, delete, and the answer to a proposal. */
export function serveFacts(server: Server, deps: Deps): void {
  const { db } = deps
  serve(server, contract.listFacts, { handle: ({ user, query }) => listFacts(db, user, query) })
  serve(server, contract.exportFacts, {
    handle: async ({ user }) => {
      const { items } = await listFacts(db, user, { state: 'kept', skip: 0, limit: contract.MAX_EXPORTED })
      return { facts: items }
    },
  })
  serve(server, contract.addFact, {
    handle: async ({ user, body: { text, workspace_id } }) => {
      const checked = requireFact(text)
      if (workspace_id) await findAllowed(db, user, 'write workspace', workspace_id)
      return addFact(deps, user, checked, workspace_id)
    },
  })
  serve(server, contract.changeFact, {
    handle: ({ user, params, body }) => changeFact(deps, user, params.factId, requireFact(body.text)),
  })
  serve(server, contract.decideFact, {
    handle: ({ user, params, body }) => decideFact(deps, user, params.factId, body),
  })
  serveDeletion(server, deps)
}

function serveDeletion(server: Server, { db }: Deps): void {
  serve(server, contract.countTraces, {
    handle: async ({ user, params }) => {
      const fact = await required(db, user, params.factId)
      const place = { userId: user.id, workspaceId: fact.project?.id ?? null }
      const sessionIds = fact.source ? [fact.source.session_id] : []
      return countTraces(db, { ...place, sessionIds }, fact.text)
    },
  })
  serve(server, contract.deleteFact, {
    handle: async ({ params }) => {
      await db.transaction().execute((trx) => forgetFacts(trx, [params.factId]))
      return { message: 'The fact was deleted.' }
    },
  })
}

async function addFact(deps: Deps, user: Person, text: string, workspaceId: string | null) {
  const { db, clock } = deps
  const vector = await embedFact(deps, text)
  const fact = {
    userId: user.id,
    workspaceId,
    text,
    origin: 'manual' as const,
    source: null,
    vector,
    at: clock.now(),
  }
  const learned = await db.transaction().execute((trx) => learnFact(trx, fact))
  if (!learned) throw fullMemory()
  return { fact: await required(db, user, learned.id), outcome: learned.outcome }
}

async function changeFact(deps: Deps, user: Person, id: string, text: string): Promise<Fact> {
  const { db, clock } = deps
  const vector = await embedFact(deps, text)
  await db.transaction().execute(async (trx) => {
    const fact = await lockFact(trx, id)
    if (!fact || fact.state === 'replaced') throw unknownFact()
    if (fact.text === text) return
    const scope = { userId: fact.user_id, workspaceId: fact.workspace_id }
    const at = clock.now()
    await replaceText(trx, id, { ...scope, text, origin: 'manual', source: null, vector, at })
    if (fact.state === 'proposed') return
    const others = (await listCompared(trx, scope, contract.MAX_FACTS)).filter((one) => one.id !== id)
    const { same } = findRelated(others, { text, vector: null })
    if (same?.state === 'kept') await absorbFact(trx, same.id, id, at)
  })
  return required(db, user, id)
}

/** @throws AppError `not_found` when it is gone */
async function required(db: Database, user: Person, id: string): Promise<Fact> {
  const fact = await readFact(db, user, id)
  if (!fact) throw unknownFact()
  return fact
}

const unknownFact = () => new AppError('not_found', 'Fact not found')

export const fullMemory = () =>
  new AppError(
    'conflict',
    `Memory holds ${contract.MAX_FACTS} facts at most. Delete facts that no longer matter.`,
  )
