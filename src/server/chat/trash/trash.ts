import * as contract from '#shared/chat/trash/trash.ts'
import { type Audit, actorOf, auditBy, changed, writeAudit } from '../../identity/audit/audit.ts'
import { endDocuments, untrashDocuments } from '../../knowledge/documents/documents.ts'
import type { Person } from '../../platform/access/access.ts'
import type { Database } from '../../platform/db/db.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import { readTrashDays, trashLimit, writeTrashDays } from '../../platform/trash/trash.ts'
import type { Deps } from '../../tools/deps.ts'
import { chatLimits, endSessions, unhideSessions } from '../sessions/sessions.ts'
import { listTrashed } from './list-store.ts'
import { registerPurge, requestPurge } from './purge.ts'

export { requestPurge }

/** Serves the trash: deleted chats and documents, and how long they stay there. */
export function serveTrash(server: Server, deps: Deps): void {
  const { db, clock } = deps
  registerPurge(deps)
  serve(server, contract.listTrash, {
    handle: async ({ user, query }) => {
      const days = await readTrashDays(db)
      if (days === 0) return { items: [], total: 0, days }
      const found = await listTrashed(db, user, { ...query, days, since: trashLimit(clock.now(), days) })
      return { ...found, days }
    },
  })
  serve(server, contract.restoreTrash, {
    handle: async ({ user, body, request }) => {
      const items = await db.transaction().execute(async (trx) => {
        const done = await restoreItems({ ...deps, db: trx }, user, body.items)
        const audit = auditBy(deps, { user, request })
        for (const { kind, id } of done) await audit(trx, { did: `${kind}.restored`, subject: id })
        return done
      })
      return { items }
    },
  })
  serve(server, contract.deleteTrash, {
    handle: async ({ user, body, request }) => {
      const items = await db.transaction().execute(async (trx) => {
        const done = await endItems({ ...deps, db: trx }, user, body.items)
        const audit = auditBy(deps, { user, request })
        for (const { kind, id } of done) await audit(trx, { did: `${kind}.purged`, subject: id })
        return done
      })
      await requestPurge(deps)
      return { items }
    },
  })
  serve(server, contract.emptyTrash, {
    handle: async ({ user, request }) => {
      const deleted = await emptyAll(deps, user, auditBy(deps, { user, request }))
      await requestPurge(deps)
      return { deleted }
    },
  })
  serveRule(server, deps)
}

function serveRule(server: Server, deps: Deps): void {
  const { db, clock } = deps
  serve(server, contract.getTrashRule, { handle: async () => ({ days: await readTrashDays(db) }) })
  serve(server, contract.setTrashRule, {
    handle: async ({ user, body: { days }, request }) => {
      await db.transaction().execute(async (trx) => {
        const before = await writeTrashDays(trx, days)
        if (before === days) return
        const changes = changed('days', String(before), String(days))
        const entry = { actor: actorOf(user, request), subject: 'trash', companyId: null, changes }
        await writeAudit(trx, clock.now(), { ...entry, did: 'trash.changed' })
      })
      await requestPurge(deps)
      return { days }
    },
  })
}

type Within = Pick<Deps, 'clock'> & { db: Database }

async function restoreItems(within: Within, user: Person, items: contract.TrashNames) {
  const { chats, documents } = split(items)
  const limits = await chatLimits(within)
  return [
    ...(await unhideSessions(within.db, user, chats, limits)).map(chat),
    ...(await untrashDocuments(within.db, user, documents, await sinceOf(within))).map(document),
  ]
}

async function endItems(within: Within, user: Person, items: contract.TrashNames) {
  const { chats, documents } = split(items)
  const limits = await chatLimits(within)
  const since = await sinceOf(within)
  return [
    ...(await endSessions(within.db, user, { ids: chats, limits })).map(chat),
    ...(await endDocuments(within.db, user, { ids: documents, since })).map(document),
  ]
}

/** Marks the whole trash of a person to be deleted. Returns the number of its items. */
async function emptyAll({ db, clock }: Deps, user: Person, audit: Audit): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const within = { db: trx, clock }
    const since = await sinceOf(within)
    const { total } = await listTrashed(trx, user, { since, days: 0, skip: 0, limit: 1 })
    await endSessions(trx, user, { ids: null, limits: await chatLimits(within) })
    await endDocuments(trx, user, { ids: null, since })
    if (total > 0)
      await audit(trx, {
        ...{ did: 'trash.emptied', subject: user.id, changes: changed('items', String(total), '0') },
      })
    return total
  })
}

async function sinceOf({ db, clock }: Within): Promise<Date> {
  return trashLimit(clock.now(), await readTrashDays(db))
}

const chat = (id: string) => ({ kind: 'chat' as const, id })
const document = (id: string) => ({ kind: 'document' as const, id })

function split(items: contract.TrashNames) {
  const ids = (kind: contract.TrashKind) => items.flatMap((item) => (item.kind === kind ? item.id : []))
  return { chats: ids('chat'), documents: ids('document') }
}
