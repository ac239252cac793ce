import { Readable } from 'node:stream'
import { builtInAssistants } from '#shared/chat/assistants/built-in.ts'
import * as contract from '#shared/money/usage/usage.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Language } from '#shared/platform/primitives.ts'
import { administeredBy, type Principal, reaches } from '../../platform/access/access.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { writeUsageFile } from './company-usage-file.ts'
import { foldDays } from './fold-days.ts'
import { countPeople, countStated, sumCost, sumModelDays, sumShares, type UsageScope } from './store.ts'

const DAY_MS = 86_400_000

type Asked = {
  from: string
  to: string
  company_id?: string | undefined
  user_id?: string | undefined
}

/** Serves company usage to administrators, from daily sums, so that the length of the ledger does not matter. */
export function serveUsage(server: Server, { searchDb: db }: Platform): void {
  serve(server, contract.getHouseUsage, {
    handle: async ({ principal, query }) => {
      const scope = scopeOf(principal, query)
      const [found, people, before, prices] = await Promise.all([
        sumModelDays(db, scope),
        countPeople(db, scope),
        sumCost(db, spanBefore(scope)),
        countStated(db, scope),
      ])
      const { days, models, sum } = foldDays(found, contract.MODELS_SHOWN)
      return { days, models, sum: { ...sum, people }, before, prices }
    },
  })
  serve(server, contract.listHouseUsage, {
    handle: async ({ principal, user, query: { by, page, limit, ...asked } }) => {
      const skip = (page - 1) * limit
      const { items, total } = await sumShares(db, scopeOf(principal, asked), by, { skip, limit })
      const named = by === 'assistant' ? nameBuiltIn(items, user.language) : items
      return { items: named, total, has_more: skip + items.length < total }
    },
  })
  serve(server, contract.exportHouseUsage, {
    handle: async ({ principal, query: { language, ...asked }, reply }) => {
      await reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="usage.csv"')
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'private, no-store')
        .send(Readable.from(writeUsageFile(db, scopeOf(principal, asked), language)))
      // The file itself is the response.
      return undefined as never
    },
  })
}

/** Adds the translated names of built-in assistants, which have no rows. */
function nameBuiltIn(items: contract.UsageShare[], language: Language): contract.UsageShare[] {
  const names = new Map(builtInAssistants(language).map(({ id, name }) => [id, name]))
  return items.map((item) => ({ ...item, name: item.name ?? names.get(item.id ?? '') ?? null }))
}

/** Returns the scope a caller may see. @throws AppError `forbidden` for another company, `invalid` for an invalid period */
function scopeOf(principal: Principal, { from, to, company_id, user_id }: Asked): UsageScope {
  const userId = user_id ?? null
  const length = lengthOf({ from, to })
  if (length < 1 || length > contract.DAYS_MOST)
    throw new AppError('invalid', `Ask for 1 to ${contract.DAYS_MOST} days, the first before the last.`)
  const isSuper = reaches(principal, 'super_admin')
  const own = administeredBy(principal)
  if (company_id === undefined) return { from, to, userId, companies: isSuper ? null : own }
  if (!isSuper && !own.includes(company_id))
    throw new AppError('forbidden', 'You do not administer this company.')
  return { from, to, userId, companies: [company_id] }
}

function spanBefore({ from, to, ...who }: UsageScope): UsageScope {
  const length = lengthOf({ from, to })
  return { from: shifted(from, -length), to: shifted(from, -1), ...who }
}

const lengthOf = ({ from, to }: Pick<UsageScope, 'from' | 'to'>) =>
  (Date.parse(to) - Date.parse(from)) / DAY_MS + 1

const shifted = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
