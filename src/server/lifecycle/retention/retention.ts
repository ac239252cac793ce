import * as contract from '#shared/lifecycle/retention/retention.ts'
import { AppError } from '#shared/platform/errors.ts'
import { actorOf, changesBetween, writeAudit } from '../../identity/audit/audit.ts'
import type { Person } from '../../platform/access/access.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { nextRetention, registerRetention } from './daily.ts'
import { listRules, lockRules, readRules, setRule } from './rule-store.ts'
import { listRuns } from './run-store.ts'

type Wish = { user: Caller; request: Parameters<typeof actorOf>[1]; rules: contract.RetentionRule[] }

/** Serves retention rules and runs. */
export function serveRetention(server: Server, deps: Deps): void {
  const { db, searchDb, clock } = deps
  registerRetention(deps)
  const show = async (companyId: string | null) => ({
    rules: await readRules(searchDb, companyId, clock.now()),
    next_at: nextRetention(clock.now()).toISOString(),
  })
  const change = async (companyId: string | null, { user, request, rules }: Wish) => {
    for (const rule of rules) assertSense(companyId, rule)
    await db.transaction().execute(async (trx) => {
      await lockRules(trx)
      const before = inWords(await listRules(trx, companyId))
      for (const rule of rules) await setRule(trx, companyId, rule)
      const changes = changesBetween(before, inWords(await listRules(trx, companyId)))
      if (changes.length === 0) return
      const entry = { actor: actorOf(user, request), subject: 'retention', companyId, changes }
      await writeAudit(trx, clock.now(), { ...entry, did: 'retention.changed' })
    })
    return show(companyId)
  }
  serve(server, contract.getHouseRetention, { handle: () => show(null) })
  serve(server, contract.setHouseRetention, {
    handle: ({ user, body, request }) => change(null, { user, request, rules: body.rules }),
  })
  serve(server, contract.getCompanyRetention, { handle: ({ params }) => show(params.companyId) })
  serve(server, contract.setCompanyRetention, {
    handle: ({ params, user, body, request }) =>
      change(params.companyId, { user, request, rules: body.rules }),
  })
  serve(server, contract.listRetentionRuns, {
    handle: async ({ user, query: { page, limit } }) => showRuns(deps, user, { page, limit }),
  })
}

async function showRuns(
  { db }: Pick<Deps, 'db'>,
  person: Person,
  { page, limit }: { page: number; limit: number },
) {
  const skip = (page - 1) * limit
  const rows = await listRuns(db, person, { skip, limit })
  const total = rows[0]?.total ?? 0
  const items = rows.map(({ id, step, began_at, finished_at, failed_at, counts }) => ({
    ...{ id, counts, began_at: began_at.toISOString(), finished_at: finished_at?.toISOString() ?? null },
    state: stateOf({ step, failed_at }),
  }))
  return { items, total, has_more: skip + items.length < total }
}

function stateOf({ step, failed_at }: { step: string; failed_at: Date | null }): contract.RetentionRunState {
  if (step === 'done') return 'done'
  if (failed_at) return 'failed'
  return step === 'versions' ? 'vectors' : 'deleting'
}

/** @throws AppError `invalid` */
function assertSense(companyId: string | null, { kind, days, follows_house }: contract.RetentionRule): void {
  if (companyId === null && follows_house)
    throw new AppError('invalid', 'The installation follows nobody: give a number of days, or none to keep.')
  if (kind !== 'audit') return
  if (companyId !== null)
    throw new AppError('invalid', 'The audit log is of the whole installation. A super admin decides on it.')
  if (days !== null && days < contract.MIN_AUDIT_DAYS)
    throw new AppError('invalid', 'The audit log is kept for a year at least. Give 365 days or more.')
}

/** Formats rules for the audit log. */
const inWords = (rules: contract.RetentionRule[]) =>
  Object.fromEntries(
    rules.map(({ kind, days, follows_house }) => [
      kind,
      follows_house ? null : days === null ? 'kept' : `${days} d`,
    ]),
  )
