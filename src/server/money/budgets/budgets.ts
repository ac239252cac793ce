import { builtInAssistants } from '#shared/chat/assistants/built-in.ts'
import * as contract from '#shared/money/budgets/budgets.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Language } from '#shared/platform/primitives.ts'
import { actorOf, writeAudit } from '../../identity/audit/audit.ts'
import { isFor, keyOf, type Person } from '../../platform/access/access.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { findOwnBudgets } from './own-store.ts'
import { deleteBudget, findBudgets, findCompanyOf, findSubjects, isSubject, upsertBudget } from './store.ts'

export { findProjectBudgets, removeProjectBudget } from './project-store.ts'
export { upsertBudget } from './store.ts'

/** Serves budgets, which super admins set and `billing` enforces. */
export function serveBudgets(server: Server, { db, searchDb, clock }: Platform): void {
  serve(server, contract.listBudgets, {
    handle: async ({ user, query: { page, limit } }) => {
      const skip = (page - 1) * limit
      const { items, total } = await findBudgets(db, { skip, limit })
      const named = items.map((item) => nameBuiltIn(item, user.language))
      return { items: named, total, has_more: skip + items.length < total }
    },
  })
  serve(server, contract.setBudget, {
    handle: ({ user, body, request }) => {
      assertSense(body)
      return db.transaction().execute(async (trx) => {
        if (!(await isSubject(trx, body)))
          throw new AppError('not_found', 'What the budget is for was not found.')
        const { budget: found, before } = await upsertBudget(trx, body)
        const budget = nameBuiltIn(found, user.language)
        const changes = [{ what: budget.period, before, after: String(budget.amount) }]
        await writeAudit(trx, clock.now(), {
          actor: actorOf(user, request),
          did: 'budget.set',
          ...(await factsOf(trx, budget)),
          changes,
        })
        return budget
      })
    },
  })
  serve(server, contract.removeBudget, {
    handle: ({ user, params, request }) =>
      db.transaction().execute(async (trx) => {
        const budget = await deleteBudget(trx, params.budgetId)
        if (!budget) throw new AppError('not_found', 'Budget not found')
        const changes = [{ what: budget.period, before: String(budget.amount), after: null }]
        const actor = actorOf(user, request)
        await writeAudit(trx, clock.now(), {
          actor,
          did: 'budget.removed',
          ...(await factsOf(trx, budget)),
          changes,
        })
      }),
  })
  serve(server, contract.listBudgetSubjects, {
    handle: async ({ user, query: { kind, q = '', page, limit } }) => {
      const found = await findSubjects(searchDb, kind, q, { skip: (page - 1) * limit, limit: limit + 1 })
      const own = kind === 'assistant' && page === 1 ? builtInSubjects(user.language, q) : []
      return { items: [...own, ...found.slice(0, limit)], has_more: found.length > limit }
    },
  })
  serve(server, contract.listOwnBudgets, {
    handle: async ({ user, query: { page, limit } }) => {
      const skip = (page - 1) * limit
      const { items, total } = await findOwnBudgets(db, user.id, { skip, limit })
      const shown = items.map((item) => (mayName(user, item) ? item : { ...item, name: null }))
      return { items: shown, total, has_more: skip + items.length < total }
    },
  })
}

/** Returns whether the caller may read the subject's name: a key reads only its own. */
function mayName(user: Person, { kind, subject_id }: contract.OwnBudget): boolean {
  if (kind === 'assistant') return isFor(user, 'assistants')
  return kind !== 'key' || user.kind === 'user' || subject_id === keyOf(user)
}

/** Adds the translated names of built-in assistants, which have no rows. */
function nameBuiltIn(budget: contract.Budget, language: Language): contract.Budget {
  const builtIn = builtInAssistants(language).find(({ id }) => id === budget.subject_id)
  return builtIn ? { ...budget, name: builtIn.name } : budget
}

function builtInSubjects(language: Language, q: string): contract.BudgetSubject[] {
  const wanted = q.trim().toLowerCase()
  return builtInAssistants(language)
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .map(({ id, name }) => ({ id, name, detail: null }))
}

type Wish = Pick<contract.Budget, 'kind' | 'period' | 'subject_id'>

/** @throws AppError `invalid` */
function assertSense({ kind, period, subject_id }: Wish): void {
  if ((kind === 'house') !== (subject_id === null))
    throw new AppError('invalid', 'Say what the budget is for; one of the whole server is for nothing else.')
  if (period === 'reply' && kind !== 'assistant')
    throw new AppError('invalid', 'Only assistants have a budget for one reply. Choose a day or a month.')
}

async function factsOf(trx: Platform['db'], budget: contract.Budget) {
  const { kind, name, subject_id } = budget
  const companyId = await findCompanyOf(trx, budget)
  return { subject: name ?? kind, subjectId: subject_id, companyId }
}
