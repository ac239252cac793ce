import type { Rule } from '#shared/chat/schedules/rule.ts'
import type { ScheduleMail } from '#shared/chat/schedules/schedules.ts'
import type { Deps } from '../../../tools/deps.ts'
import { findVerifiedAddress, removeOldAttachments } from './mail-store.ts'
import { receiveMail } from './receive-mail.ts'

export { findVerifiedAddress, renewAddress } from './mail-store.ts'
export { filesOf, subjectOf, textOf } from './mail-text.ts'
export { type MailFiles, storeAttachments } from './store-attachments.ts'

/** Lets mails to the addresses of schedules start them. */
export function registerMails(deps: Deps): void {
  deps.mailbox.onMail((token, mail) => receiveMail(deps, token, mail))
  deps.jobs.register('mails.cleanup', () => removeOldAttachments(deps.db), { cron: '51 * * * *' })
}

type Addressed = { rule: Rule; user_id: string; mail_token: string }

/** Returns the mail address of a schedule and who may write to it; null for a schedule that starts otherwise. */
export async function readMailAddress(
  { db, mailbox }: Pick<Deps, 'db' | 'mailbox'>,
  { rule, user_id, mail_token }: Addressed,
): Promise<ScheduleMail | null> {
  if (rule.kind !== 'mail') return null
  const { kind } = await mailbox.state()
  return {
    address: mailbox.addressOf(mail_token),
    is_read: kind === 'read' || kind === 'starting',
    verifies_senders: mailbox.verifiesSenders,
    owner_address: await findVerifiedAddress(db, user_id),
  }
}
