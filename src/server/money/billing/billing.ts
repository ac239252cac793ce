import { Readable } from 'node:stream'
import {
  exportUsage,
  getBilling,
  getUsage,
  type LedgerEntry,
  MAX_BALANCE,
  topUp,
} from '#shared/money/billing/billing.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Actor, actorById, actorOf, writeAudit } from '../../identity/audit/audit.ts'
import { isFor } from '../../platform/access/access.ts'
import { assertTimeZone } from '../../platform/db/db.ts'
import type { Server } from '../../platform/http/serve.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { readBalance } from './ledger.ts'
import { type Booking, findBalance, findMonth, insertTopUp, listEntries } from './store.ts'
import { isBooking, writeUsageFile } from './usage-file.ts'
import { countEntries, sumByModels, sumBySteps } from './usage-store.ts'

export { BudgetError, type StoppingBudget } from './budget-error.ts'
export { type CallPurse, createCallPurse } from './call-purse.ts'
export {
  assertBalance,
  grantStartingBalance,
  isUnpaid,
  readBalance,
  recordAbsorbed,
  recordUnlessGone,
  recordUsage,
  type UsageEntry,
} from './ledger.ts'
export { createReservations, type Reservations } from './reservations.ts'

/** Serves the caller's balance and usage, and top-ups by administrators. */
export function serveBilling(server: Server, deps: Platform): void {
  const { db, searchDb, config, clock } = deps

  serve(server, getBilling, {
    handle: async ({ user, query: { page, limit, ...filter } }) => {
      const skip = (page - 1) * limit
      const { balance, entries } = await findBalance(db, user.id)
      const isFiltered = Object.values(filter).some((value) => value !== undefined)
      const total = isFiltered ? await countEntries(searchDb, user.id, filter) : entries
      const [items, this_month] = await Promise.all([
        skip < total ? listEntries(db, user.id, { skip, limit, ...filter }) : [],
        findMonth(db, user.id, clock.now()),
      ])
      const enabled = config.ATRIUM_BILLING === 'on'
      const has_more = page * limit < total
      const shown = isFor(user, 'chats') ? items : items.map(withoutWords)
      return {
        ...{ enabled, balance: enabled ? balance : null, items: shown },
        ...{ total, page, has_more, this_month },
      }
    },
  })

  serve(server, getUsage, {
    handle: async ({ user, query: { step, time_zone: timeZone, model, ...time } }) => {
      await assertTimeZone(searchDb, timeZone)
      const steps = await sumBySteps(searchDb, user.id, { ...time, model, step, timeZone })
      return { steps, models: await sumByModels(searchDb, user.id, time) }
    },
  })

  serve(server, exportUsage, {
    handle: async ({ user, query: { time_zone: timeZone, language, ...filter }, reply }) => {
      await assertTimeZone(searchDb, timeZone)
      const hasBalance = config.ATRIUM_BILLING === 'on'
      const hasWords = isFor(user, 'chats')
      const file = writeUsageFile(searchDb, {
        ...{ userId: user.id, filter, timeZone, language },
        ...{ hasBalance, hasWords },
      })
      await reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="usage.csv"')
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'private, no-store')
        .send(Readable.from(file))
      // The file itself is the response.
      return undefined as never
    },
  })

  serve(server, topUp, {
    handle: async ({ user, params: { userId }, body: { amount, reason }, request }) => {
      const booking = { user_id: userId, amount, reason: reason || 'Top-up' }
      return { balance: await bookTopUp(deps, booking, actorOf(user, request)) }
    },
  })
}

/** Removes user-written text (chat titles, booking reasons) for keys without the scope to read chats. */
function withoutWords(entry: LedgerEntry): LedgerEntry {
  const reason = isBooking(entry.kind) ? entry.kind : entry.reason
  return { ...entry, reason, session_title: null }
}

/** Books an amount and returns the new balance. @throws AppError `invalid` when it would be out of range */
function bookTopUp(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  booking: Booking,
  actor: Actor,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await insertTopUp(trx, booking)
    const balance = await readBalance(trx, booking.user_id)
    // A balance already out of range may move back towards it.
    const isFarther = Math.sign(balance) === Math.sign(booking.amount)
    if (Math.abs(balance) > MAX_BALANCE && isFarther)
      throw new AppError('invalid', 'A balance may be at most $1,000,000. Add less.')
    const { user_id: id, amount, reason } = booking
    const { actor: whose, companyId } = await actorById(trx, id, null)
    const changes = [
      { what: 'amount', before: null, after: String(amount) },
      { what: 'reason', before: null, after: reason },
    ]
    const subject = { subject: whose.name, subjectId: id, companyId }
    await writeAudit(trx, clock.now(), { actor, did: 'balance.topped_up', ...subject, changes })
    return balance
  })
}
