import * as z from 'zod'
import { AppError } from '#shared/errors.ts'
import { changed } from '../../audit/audit.ts'
import type { Caller } from '../../http/serve.ts'
import type { Platform } from '../../platform.ts'
import { assertItIsThem } from '../change-password.ts'
import { composeMail, mustProveAddresses, namesFor } from '../mails.ts'
import { endOneTimeTokens, makeOneTimeToken } from '../one-time-token-store.ts'
import { takeTurn } from '../rate-limit-store.ts'
import type { RecordOwn } from '../second-factor/record-own.ts'
import { findByEmail, findById, setEmail } from '../store.ts'
import { mailTexts } from '../texts.ts'

const jobName = 'accounts.change-email-mail'
const Payload = z.discriminatedUnion('purpose', [
  z.object({ purpose: z.literal('change_email'), userId: z.string(), to: z.string() }),
  z.object({ purpose: z.literal('email_changed'), userId: z.string(), to: z.string() }),
])

type Form = { email: string; current_password?: string | undefined }

/**
 * Gives an account another address: at once where addresses need no proof, else when the link in a mail to the new one is
 * opened. Whoever asks proves that it is them first.
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
  await endOneTimeTokens(deps, 'change_email', caller.id)
  if (!(await mustProveAddresses(deps))) {
    await deps.db.transaction().execute(async (trx) => {
      await setEmail({ ...deps, db: trx }, caller.id, form.email, { isProved: false })
      const changes = changed('email', caller.email, form.email)
      await record(trx, { did: 'account.changed', changes })
    })
    await tellOldAddress(deps, caller.id, caller.email)
    return 'changed'
  }
  await takeTurn(deps, 'mail_account', `change_email:${caller.id}`)
  await deps.jobs.add(jobName, { purpose: 'change_email', userId: caller.id, to: form.email })
  return 'mailed'
}

/** Takes the address a link was mailed to. @throws AppError `email_taken` when somebody else has it by now */
export async function takeProvedEmail(
  deps: Platform,
  { userId, email }: { userId: string; email: string },
  record: RecordOwn,
): Promise<void> {
  const before = await findById(deps, userId)
  await deps.db.transaction().execute(async (trx) => {
    await setEmail({ ...deps, db: trx }, userId, email, { isProved: true })
    await record(trx, { did: 'account.changed', changes: changed('email', before?.email ?? null, email) })
  })
  if (before) await tellOldAddress(deps, userId, before.email)
}

/** Declares the job that sends the mails of a change of address. No secret waits in the queue. */
export function registerEmailChange(deps: Platform): void {
  deps.jobs.register(jobName, async (payload) => {
    const { purpose, userId, to } = Payload.parse(payload)
    const user = await findById(deps, userId)
    if (!user) return
    const base = `${deps.publicUrl()}/login`
    const link =
      purpose === 'change_email'
        ? `${base}/verify-email?token=${await makeOneTimeToken(deps, purpose, { id: userId, email: to })}`
        : `${base}/forgot-password`
    const texts = mailTexts(user.language === 'fr' ? 'fr' : 'en')
    // Whose the new address is stays open until the link is opened.
    const names = purpose === 'change_email' ? null : namesFor(user)
    await deps.mail.send({ to, ...composeMail(texts, purpose, names, link) })
  })
}

/** Tells an address that the account has another one now. */
export async function tellOldAddress(
  { jobs }: Pick<Platform, 'jobs'>,
  userId: string,
  to: string,
): Promise<void> {
  await jobs.add(jobName, { purpose: 'email_changed', userId, to })
}
