import { type Kysely, sql } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { activeStates } from './store.ts'

/** First number of our advisory locks; 10 is the limit on runs per user. */
const lockClass = 10

type Limits = Pick<Config, 'ATRIUM_LIMIT_REPLIES_PER_USER' | 'ATRIUM_LIMIT_TOOLS_PER_USER'>

/**
 * Enforces the limit on concurrent runs of a kind per user. The lock lasts until the transaction ends, so that
 * simultaneous starts on any process are counted one after another. Visitors are counted separately and
 * never block the token's owner. @throws AppError `rate_limited`
 */
export async function assertRoom(
  trx: Kysely<Tables>,
  limits: Limits,
  userId: string,
  kind: 'chat' | 'tool',
  isVisit = false,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockClass}, hashtext(${userId}))`.execute(trx)
  // A reply that waits for a person uses no resources; a waiting tool still occupies its card.
  const states = kind === 'tool' ? activeStates : (['queued', 'running'] as const)
  const { count } = await trx
    .selectFrom('runs')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('parent_run_id', 'is', null)
    .where('state', 'in', states)
    .where(
      sql<boolean>`exists (select from sessions s where s.id = runs.session_id and s.origin = 'embed') = ${isVisit}`,
    )
    .executeTakeFirstOrThrow()
  const most = kind === 'chat' ? limits.ATRIUM_LIMIT_REPLIES_PER_USER : limits.ATRIUM_LIMIT_TOOLS_PER_USER
  if (Number(count) < most) return
  if (isVisit) throw new AppError('rate_limited', 'Many are asking at the moment. Try again in a moment.')
  const what = kind === 'chat' ? 'replies are being written' : 'tools are running'
  throw new AppError('rate_limited', `${most} ${what} for you already. Wait until one has finished.`)
}
