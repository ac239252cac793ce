import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { Caller } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import { changed } from '../../audit/audit.ts'
import { findMailLook, wearLook } from '../../branding/branding.ts'
import { composeMail, mustProveAddresses, namesFor } from '../mails.ts'
import { assertItIsThem } from '../passwords/change-password.ts'
import { takeTurn } from '../rate-limit-store.ts'
import type { RecordOwn } from '../second-factor/record-own.ts'
import { findByEmail, findById, setEmail } from '../store.ts'
import { mailTexts } from '../texts.ts'
import { assertSignedIn, lockAccount } from '../tokens/access-token-store.ts'
import {
  assertConsumed,
  endOneTimeTokens,
  makeOneTimeToken,
  renewOneTimeToken,
} from '../tokens/one-time-token-store.ts'

const jobName = 'accounts.change-email-mail'
const Payload = z.discriminatedUnion('purpose', [
  z.object({ purpose: z.literal('change_email'), userId: z.string(), to: z.string() }),
  z.object({ purpose: z.literal('email_changed'), userId: z.string(), to: z.string() }),
])

type Form = { email: string; current_password?: string | undefined }

/**
 * Changes the address of an account: immediately where addresses need no proof, else when the link mailed to the new one is
 * opened. The user must confirm their identity first.
 * @throws AppError `invalid` at `current_password`, `forbidden`, `email_taken`, `rate_limited`
 */
export async function changeEmail(
  deps: Platform,
  caller: Caller,
  form: Form,
  record: RecordOwn,
): Promise<'changed' | 'mailed'> {
  await assertItIsThem(deps, caller, form.current_password ?? '')
  const holder = await findByEmail(deps, form.email)
  if (holder && holder.id !== caller.id) throw new AppError('email_taken', 'Email already registered')
  if (!(await mustProveAddresses(deps))) {
    await deps.db.transaction().execute(async (trx) => {
      await assertSignedIn(trx, caller)
      await setEmail({ ...deps, db: trx }, caller.id, form.email, { isProved: false })
      const changes = changed('email', caller.email, form.email)
      await record(trx, { did: 'account.changed', changes })
    })
    await tellOldAddress(deps, caller.id, caller.email)
    return 'changed'
  }
  await takeTurn(deps, 'mail_account', `change_email:${caller.id}`)
  await deps.db.transaction().execute(async (trx) => {
    await assertSignedIn(trx, caller)
    await endOneTimeTokens({ db: trx }, 'change_email', caller.id)
    // Ends with the user's sign-ins, so that a mail that is sent later finds nothing to finish.
    await makeOneTimeToken({ ...deps, db: trx }, 'change_email', { id: caller.id, email: form.email })
  })
  await deps.jobs.add(jobName, { purpose: 'change_email', userId: caller.id, to: form.email })
  return 'mailed'
}

/** Applies the address a link was mailed to. @throws AppError `email_taken` when it has been taken since */
export async function takeProvedEmail(
  deps: Platform,
  { userId, email }: { userId: string; email: string },
  record: RecordOwn,
): Promise<void> {
  const before = await findById(deps, userId)
  await deps.db.transaction().execute(async (trx) => {
    await lockAccount(trx, userId)
    await assertConsumed(trx, userId, 'change_email')
    await setEmail({ ...deps, db: trx }, userId, email, { isProved: true })
    await record(trx, { did: 'account.changed', changes: changed('email', before?.email ?? null, email) })
  })
  if (before) await tellOldAddress(deps, userId, before.email)
}

/** Registers the job for address change mails. The queue holds no secrets. */
export function registerEmailChange(deps: Platform): void {
  deps.jobs.register(jobName, async (payload) => {
    const { purpose, userId, to } = Payload.parse(payload)
    const user = await findById(deps, userId)
    if (!user) return
    const base = `${deps.publicUrl()}/login`
    const token = purpose === 'change_email' ? await renewOneTimeToken(deps, purpose, { userId, to }) : null
    if (purpose === 'change_email' && token === null) return
    const link = token === null ? `${base}/forgot-password` : `${base}/verify-email?token=${token}`
    const look = await findMailLook(deps.db, { userId })
    const texts = mailTexts(user.language === 'fr' ? 'fr' : 'en', look?.name)
    // The owner of the new address is unknown until the link is opened.
    const names = purpose === 'change_email' ? null : namesFor(user)
    await deps.mail.send(wearLook(look, { to, ...composeMail(texts, purpose, names, link) }))
  })
}

/** Notifies the old address of the change. */
export async function tellOldAddress(
  { jobs }: Pick<Platform, 'jobs'>,
  userId: string,
  to: string,
): Promise<void> {
  await jobs.add(jobName, { purpose: 'email_changed', userId, to })
}
