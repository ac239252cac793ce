import type { Kysely } from 'kysely'
import * as contract from '#shared/identity/terms/terms.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Principal } from '../../platform/access/access.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { actorOf, changed, writeAudit } from '../audit/audit.ts'
import {
  findAcceptances,
  findDueTerms,
  findTerms,
  hasDueTerms,
  insertAcceptances,
  insertTerms,
  lockCompanyForTerms,
  updateWithdrawn,
} from './store.ts'

/** Serves the terms of companies: to administrators who publish them, and to people who accept them. */
export function serveTerms(server: Server, deps: Platform): void {
  const { db, clock } = deps
  serve(server, contract.listTerms, {
    handle: async ({ params: { companyId }, query: { page, limit } }) => {
      const skip = (page - 1) * limit
      const { items, total } = await findTerms(db, companyId, { skip, limit })
      return { items, total, has_more: skip + items.length < total }
    },
  })
  serve(server, contract.publishTerms, {
    handle: ({ user, request, params: { companyId }, body }) =>
      db.transaction().execute(async (trx) => {
        const actor = actorOf(user, request)
        const subject = await lockCompanyForTerms(trx, companyId)
        if (subject === undefined) throw new AppError('not_found', 'Company not found')
        const texts = { text_en: cleanCharacters(body.text_en), text_fr: cleanCharacters(body.text_fr) }
        const terms = await insertTerms(trx, companyId, { ...texts, by: actor.name, now: clock.now() })
        const changes = changed('version', null, String(terms.version))
        await writeAudit(trx, clock.now(), { actor, did: 'terms.published', subject, companyId, changes })
        return terms
      }),
  })
  serve(server, contract.withdrawTerms, {
    handle: ({ user, request, params: { companyId } }) =>
      db.transaction().execute(async (trx) => {
        const subject = await lockCompanyForTerms(trx, companyId)
        const version = await updateWithdrawn(trx, companyId, clock.now())
        if (subject === undefined || version === null) return
        const changes = changed('version', String(version), null)
        const actor = actorOf(user, request)
        await writeAudit(trx, clock.now(), { actor, did: 'terms.withdrawn', subject, companyId, changes })
      }),
  })
  serve(server, contract.listAcceptances, {
    handle: async ({ params: { companyId, version }, query: { page, limit } }) => {
      const skip = (page - 1) * limit
      const found = await findAcceptances(db, companyId, Number(version), { skip, limit })
      if (!found) throw new AppError('not_found', 'This version is not there.')
      return { ...found, has_more: skip + found.items.length < found.total }
    },
  })
  serveOwnTerms(server, deps)
}

function serveOwnTerms(server: Server, { db, clock }: Platform): void {
  serve(server, contract.listDueTerms, {
    handle: async ({ user }) => ({ items: await findDueTerms(db, user.id) }),
  })
  serve(server, contract.acceptTerms, {
    handle: ({ user, request, body: { terms_ids } }) =>
      db.transaction().execute(async (trx) => {
        const accepted = await insertAcceptances(trx, user.id, terms_ids, clock.now())
        const actor = actorOf(user, request)
        for (const { company_id: companyId, version } of accepted) {
          const changes = changed('version', null, String(version))
          const subject = { subject: actor.name, subjectId: user.id, companyId }
          await writeAudit(trx, clock.now(), { actor, did: 'terms.accepted', ...subject, changes })
        }
        if (accepted.length === 0 && (await hasDueTerms(trx, user.id)))
          throw new AppError('conflict', 'A newer version of the terms was published. Read it first.')
      }),
  })
}

/** Refuses a message of a person who has not accepted the terms of their companies. @throws AppError `terms_due` */
export async function assertTermsAccepted(db: Kysely<Tables>, userId: string): Promise<void> {
  if (await hasDueTerms(db, userId))
    throw new AppError(
      'terms_due',
      'Your company has new terms. Accept them in Atrium before your next message.',
    )
}

/** As `assertTermsAccepted`, for the caller of a request. Visitors of an embedded assistant are not people of the company. */
export async function assertTermsOf(db: Kysely<Tables>, principal: Principal): Promise<void> {
  if (principal.kind === 'user' || principal.kind === 'key') await assertTermsAccepted(db, principal.id)
}

export { hasDueTerms } from './store.ts'
