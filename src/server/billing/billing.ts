import { sql } from 'kysely'
import { getBilling, type LedgerEntry, topUp } from '#shared/billing/billing.ts'
import { AppError } from '#shared/errors.ts'
import type { Deps } from '../deps.ts'
import type { Server } from '../http/serve.ts'
import { serve } from '../http/serve.ts'
import { readBalance } from './ledger.ts'

export {
  assertBalance,
  grantStartingBalance,
  isUnpaid,
  readBalance,
  recordAbsorbed,
  recordUsage,
  type UsageEntry,
} from './ledger.ts'

/** Balance and usage of the caller, and the top-up an administrator books. */
export function serveBilling(server: Server, deps: Deps): void {
  const { db, config } = deps

  serve(server, getBilling, {
    handle: async ({ user, query: { page, limit } }) => {
      const [items, total, this_month, balance] = await Promise.all([
        listEntries(deps, user.id, page, limit),
        countEntries(deps, user.id),
        sumThisMonth(deps, user.id),
        readBalance(db, user.id),
      ])
      const enabled = config.ATRIUM_BILLING === 'on'
      return {
        enabled,
        balance: enabled ? balance : null,
        items,
        total,
        page,
        has_more: page * limit < total,
        this_month,
      }
    },
  })

  serve(server, topUp, {
    handle: async ({ params: { userId }, body: { amount, reason } }) => {
      const user = await db.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()
      if (!user) throw new AppError('not_found', 'User not found')
      await db
        .insertInto('ledger_entries')
        .values({
          user_id: userId,
          kind: amount < 0 ? 'correction' : 'top_up',
          amount,
          reason: reason || 'Top-up',
        })
        .execute()
      deps.bus.publish(`balance:${userId}`, '')
      return { balance: await readBalance(db, userId) }
    },
  })
}

async function listEntries(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  page: number,
  limit: number,
): Promise<LedgerEntry[]> {
  const rows = await db
    .selectFrom('ledger_entries as entry')
    .leftJoin('sessions as session', 'session.id', 'entry.session_id')
    .select([
      'entry.id',
      'entry.amount',
      'entry.kind',
      'entry.reason',
      'entry.model_name',
      'entry.session_id',
      'session.title as session_title',
    ])
    .select([
      'entry.input_tokens',
      'entry.output_tokens',
      'entry.unpriced',
      'entry.estimated',
      'entry.created_at',
    ])
    .where('entry.user_id', '=', userId)
    .orderBy('entry.created_at', 'desc')
    .orderBy('entry.id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return rows.map((row) => ({ ...row, amount: Number(row.amount), created_at: row.created_at.toISOString() }))
}

async function countEntries({ db }: Pick<Deps, 'db'>, userId: string): Promise<number> {
  const row = await db
    .selectFrom('ledger_entries')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(row.total)
}

async function sumThisMonth({ db, clock }: Pick<Deps, 'db' | 'clock'>, userId: string) {
  const now = clock.now()
  const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  const row = await db
    .selectFrom('ledger_entries')
    .select([
      sql<number>`coalesce(-sum(amount), 0)`.as('amount'),
      sql<number>`coalesce(sum(input_tokens), 0)`.as('input_tokens'),
      sql<number>`coalesce(sum(output_tokens), 0)`.as('output_tokens'),
      sql<number>`count(*)`.as('calls'),
    ])
    .where('user_id', '=', userId)
    .where('kind', '=', 'usage')
    .where('created_at', '>=', start)
    .executeTakeFirstOrThrow()
  const { amount, input_tokens, output_tokens, calls } = row
  return {
    amount: Number(amount),
    input_tokens: Number(input_tokens),
    output_tokens: Number(output_tokens),
    calls: Number(calls),
  }
}
