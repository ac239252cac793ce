import * as contract from '#shared/lifecycle/legal-holds/legal-holds.ts'
import { AppError } from '#shared/platform/errors.ts'
import { actorOf, changed, writeAudit } from '../../identity/audit/audit.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { findHoldSubjects, findHolds, hasHold, insertHold, lockSubject, updateLifted } from './store.ts'

/** Serves legal holds. The database refuses to delete what they cover (migrations/0511_legal_holds.sql). */
export function serveLegalHolds(server: Server, { db, clock }: Platform): void {
  serve(server, contract.listHolds, {
    handle: async ({ query: { page, limit } }) => {
      const skip = (page - 1) * limit
      const { items, total } = await findHolds(db, { skip, limit })
      return { items, total, has_more: skip + items.length < total }
    },
  })
  serve(server, contract.listHoldSubjects, {
    handle: async ({ query: { kind, q = '', page, limit } }) => {
      const found = await findHoldSubjects(db, kind, q, { skip: (page - 1) * limit, limit: limit + 1 })
      return { items: found.slice(0, limit), has_more: found.length > limit }
    },
  })
  serve(server, contract.placeHold, {
    handle: ({ user, body: { kind, subject_id, reason: typed }, request }) =>
      db.transaction().execute(async (trx) => {
        const actor = actorOf(user, request)
        const now = clock.now()
        const reason = cleanCharacters(typed)
        const subject = await lockSubject(trx, kind, subject_id)
        if (!subject) throw new AppError('not_found', 'The user or project was not found.')
        const { name, company_id: companyId } = subject
        const hold = await insertHold(trx, { kind, subject_id, name, reason, placed_by: actor.name, now })
        if (!hold) throw new AppError('conflict', 'There is a legal hold already.')
        const entry = { actor, subject: name, subjectId: subject_id, companyId }
        await writeAudit(trx, now, {
          ...entry,
          did: 'legal_hold.placed',
          changes: changed('reason', null, reason),
        })
        return hold
      }),
  })
  serve(server, contract.liftHold, {
    handle: ({ user, body: { hold_id, reason: typed }, request }) =>
      db.transaction().execute(async (trx) => {
        const actor = actorOf(user, request)
        const now = clock.now()
        const reason = cleanCharacters(typed)
        const hold = await updateLifted(trx, hold_id, { by: actor.name, reason, now })
        if (!hold && (await hasHold(trx, hold_id)))
          throw new AppError('conflict', 'The legal hold was lifted already.')
        if (!hold) throw new AppError('not_found', 'The legal hold was not found.')
        const { kind, subject_id, name: subject } = hold
        const companyId = (await lockSubject(trx, kind, subject_id))?.company_id ?? null
        const entry = { actor, subject, subjectId: subject_id, companyId }
        await writeAudit(trx, now, {
          ...entry,
          did: 'legal_hold.lifted',
          changes: changed('reason', hold.reason, reason),
        })
        return hold
      }),
  })
}
