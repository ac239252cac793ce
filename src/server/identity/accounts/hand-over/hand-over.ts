import type { Transaction } from 'kysely'
import * as z from 'zod'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Platform } from '../../../platform/platform.ts'
import { actorById, writeAudit } from '../../audit/audit.ts'
import { composeMail } from '../mails.ts'
import { findById } from '../store.ts'
import { mailTexts } from '../texts.ts'
import { lockUnproved, takeCredentials, takeWaysIn } from './hand-over-store.ts'

export { isAdministrator, takeWaysIn } from './hand-over-store.ts'

const jobName = 'accounts.hand-over-mail'
const Payload = z.object({ userId: z.string(), to: z.string() })
type Trx = Transaction<Tables>

/**
 * Gives an account to the owner of its address, which nobody had proved: whoever registered it may be somebody else. Every way in is
 * taken from the account, so that only what the owner connects now leads in. Its contents stay.
 * @returns whom to tell once the transaction is over
 */
export async function handOver(
  { clock }: Pick<Platform, 'clock'>,
  trx: Trx,
  { userId, email, by }: { userId: string; email: string; by: string },
): Promise<string[]> {
  const now = clock.now()
  const others = await takeWaysIn(trx, userId, now)
  await takeCredentials(trx, userId, now)
  await record(trx, now, userId, by)
  return [...new Set([email, ...others].map((address) => address.toLowerCase()))]
}

/**
 * Shuts out whoever used an account before the owner of its address chose a password by mail. Second factors stay: they bar
 * the owner until an administrator helps, while taking them would let a mailbox alone into an account that has them.
 */
export async function shutOutRegistrant(
  { clock }: Pick<Platform, 'clock'>,
  trx: Trx,
  userId: string,
): Promise<void> {
  if (!(await lockUnproved(trx, userId))) return
  const now = clock.now()
  await takeWaysIn(trx, userId, now)
  await record(trx, now, userId, 'mail')
}

async function record(trx: Trx, now: Date, userId: string, by: string): Promise<void> {
  const { actor: registrant, companyId } = await actorById(trx, userId, null)
  const actor = { id: null, name: 'Atrium', address: null }
  const subject = { subject: registrant.name, subjectId: userId }
  const changes = [{ what: 'proved_by', before: null, after: by }]
  await writeAudit(trx, now, { actor, ...subject, companyId, did: 'account.handed_over', changes })
}

/** Tells these addresses that an account was handed over. */
export async function tellHandedOver(
  { jobs }: Pick<Platform, 'jobs'>,
  userId: string,
  addresses: string[],
): Promise<void> {
  for (const to of addresses) await jobs.add(jobName, { userId, to })
}

/** Declares the job that mails it. Nothing that the earlier user wrote is in the mail. */
export function registerHandOver(deps: Platform): void {
  deps.jobs.register(jobName, async (payload) => {
    const { userId, to } = Payload.parse(payload)
    const user = await findById(deps, userId)
    if (!user) return
    const texts = mailTexts(user.language === 'fr' ? 'fr' : 'en')
    const link = `${deps.publicUrl()}/login`
    await deps.mail.send({ to, ...composeMail(texts, 'account_handed_over', null, link) })
  })
}
