import type { Kysely } from 'kysely'
import * as contract from '#shared/lifecycle/companies/companies.ts'
import { AppError } from '#shared/platform/errors.ts'
import { lockRoles } from '../../identity/administration/administration.ts'
import { actorOf, changed, changesBetween, writeAudit } from '../../identity/audit/audit.ts'
import { mergeClasses } from '../../models/data-classes/data-classes.ts'
import { mergeMasking } from '../../models/masking/masking.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { countConsequences, findFigures, lockCompany, updateLimits } from './figures-store.ts'
import {
  hasSuperAdminElsewhere,
  moveGroups,
  movePeople,
  moveRules,
  moveShares,
  moveUsage,
  removeCompany,
} from './merge-store.ts'

/** Serves the figures and limits of companies, and merges and deletes them. */
export function serveCompanies(server: Server, { db, searchDb, clock, grants }: Platform): void {
  serve(server, contract.listCompanyFigures, {
    handle: async ({ principal, query: { q = '', page, limit } }) => {
      const skip = (page - 1) * limit
      const today = clock.now().toISOString().slice(0, 10)
      const { items, total } = await findFigures(searchDb, principal, { q, skip, limit, today })
      return { items, total, has_more: skip + items.length < total }
    },
  })
  serve(server, contract.getCompanyConsequences, {
    handle: ({ params: { companyId } }) => countConsequences(db, companyId, clock.now()),
  })
  serve(server, contract.setCompanyLimits, {
    handle: ({ params: { companyId }, body, user, request }) =>
      db.transaction().execute(async (trx) => {
        const before = await find(trx, companyId)
        await updateLimits(trx, companyId, body)
        const changes = changesBetween(factsOf(before), factsOf(body))
        await writeAudit(trx, clock.now(), {
          ...{
            actor: actorOf(user, request),
            did: 'company.changed',
            subject: before.name,
            companyId,
            changes,
          },
        })
        return body
      }),
  })
  serve(server, contract.mergeCompany, {
    handle: async ({ params: { companyId: from }, body: { into }, user, request }) => {
      if (from === into) throw new AppError('conflict', 'Choose another company to merge into.')
      await db.transaction().execute(async (trx) => {
        await lockRoles(trx)
        // Always in the same order, so that two merges cannot wait for each other.
        const [first, second] = [from, into].sort()
        const found = { [first!]: await find(trx, first!), [second!]: await find(trx, second!) }
        const [source, target] = [found[from]!, found[into]!]
        const { people } = await countConsequences(trx, from, clock.now())
        const merge = { from, into }
        await movePeople(trx, merge)
        await moveGroups(trx, merge, source.name)
        await moveShares(trx, merge)
        await moveRules(trx, merge)
        await moveUsage(trx, merge)
        await mergeClasses(trx, merge)
        await mergeMasking(trx, merge)
        await removeCompany(trx, from)
        const changes = [
          ...changed('company', source.name, target.name),
          ...changed('people', null, String(people)),
        ]
        const actor = actorOf(user, request)
        await writeAudit(trx, clock.now(), {
          ...{ actor, did: 'company.merged', subject: source.name, companyId: into, changes },
        })
      })
      grants.forget()
    },
  })
  serve(server, contract.deleteCompany, {
    handle: async ({ params: { companyId }, body, user, request }) => {
      await db.transaction().execute(async (trx) => {
        await lockRoles(trx)
        const { name } = await find(trx, companyId)
        if (body.name !== name) throw new AppError('conflict', 'This is not the name of the company.')
        if (!(await hasSuperAdminElsewhere(trx, companyId)))
          throw new AppError(
            'conflict',
            'The last super admin is in this company. Name one in another company first.',
          )
        const { people, alone } = await countConsequences(trx, companyId, clock.now())
        const changes = [...changed('people', String(people), null), ...changed('alone', String(alone), null)]
        const actor = actorOf(user, request)
        // Before the company goes, so that the entry has its name.
        await writeAudit(trx, clock.now(), {
          actor,
          did: 'company.deleted',
          subject: name,
          companyId,
          changes,
        })
        await removeCompany(trx, companyId)
      })
      grants.forget()
    },
  })
}

/** @throws AppError `not_found` */
async function find(trx: Kysely<Tables>, id: string) {
  const company = await lockCompany(trx, id)
  if (!company) throw new AppError('not_found', 'Company not found')
  return company
}

const factsOf = ({ max_people, storage_mb }: contract.CompanyLimits) => ({
  max_people: max_people?.toString() ?? null,
  storage_mb: storage_mb?.toString() ?? null,
})
