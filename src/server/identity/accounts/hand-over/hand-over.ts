import type { Transaction } from 'kysely'
import * as z from 'zod'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Platform } from '../../../platform/platform.ts'
import { actorById, writeAudit } from '../../audit/audit.ts'
import { findMailLook, wearLook } from '../../branding/branding.ts'
import { composeMail } from '../mails.ts'
import { findById } from '../store.ts'
import { mailTexts } from '../texts.ts'
import { lockUnproved, takeCredentials, takePasskeys, takeWaysIn } from './hand-over-store.ts'

export { isAdministrator, isUnprovedAdministrator, takeWaysIn, waiveProof } from './hand-over-store.ts'

const jobName = 'accounts.hand-over-mail'
const Payload = z.object({ userId: z.string(), to: z.string() })
type Trx = Transaction<Tables>

/**
 * Hands an account with an unproved address over to the address's owner, because someone else may have registered it. All earlier ways
 * into the account end. Its contents stay.
 * @returns the addresses to notify after the transaction
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
 * Ends the registrant's access before the address's owner sets a password by mail. The code app stays:
 * removing it would let a mailbox alone open a protected account. An administrator can help the owner. Passkeys go, because each opens
 * the account alone.
 */
export async function shutOutRegistrant(
  { clock }: Pick<Platform, 'clock'>,
  trx: Trx,
  userId: string,
): Promise<void> {
  if (!(await lockUnproved(trx, userId))) return
  const now = clock.now()
  await takeWaysIn(trx, userId, now)
  await takePasskeys(trx, userId)
  await record(trx, now, userId, 'mail')
}

async function record(trx: Trx, now: Date, userId: string, by: string): Promise<void> {
  const { actor: registrant, companyId } = await actorById(trx, userId, null)
  const actor = { id: null, name: 'Atrium', address: null }
  const subject = { subject: registrant.name, subjectId: userId }
  const changes = [{ what: 'proved_by', before: null, after: by }]
  await writeAudit(trx, now, { actor, ...subject, companyId, did: 'account.handed_over', changes })
}

/** Notifies these addresses that an account was handed over. */
export async function tellHandedOver(
  { jobs }: Pick<Platform, 'jobs'>,
  userId: string,
  addresses: string[],
): Promise<void> {
  for (const to of addresses) await jobs.add(jobName, { userId, to })
}

/** Registers the notification job. The mail contains nothing written by the earlier user. */
export function registerHandOver(deps: Platform): void {
  deps.jobs.register(jobName, async (payload) => {
    const { userId, to } = Payload.parse(payload)
    const user = await findById(deps, userId)
    if (!user) return
    const look = await findMailLook(deps.db, { userId })
    const texts = mailTexts(user.language === 'fr' ? 'fr' : 'en', look?.name)
    const link = `${deps.publicUrl()}/login`
    await deps.mail.send(wearLook(look, { to, ...composeMail(texts, 'account_handed_over', null, link) }))
  })
}
