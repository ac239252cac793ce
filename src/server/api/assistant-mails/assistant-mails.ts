import * as contract from '#shared/chat/assistant-mails/assistant-mails.ts'
import { AppError } from '#shared/platform/errors.ts'
import { findVerifiedAddress } from '../../chat/schedules/schedules.ts'
import { auditBy, changed } from '../../identity/audit/audit.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { findAddress, listRecent, putAddress } from './address-store.ts'
import { removeOldMails } from './assistant-mail-store.ts'
import { receiveAssistantMail } from './receive-assistant-mail.ts'
import { ANSWER, requestAnswers } from './request-answers.ts'
import { answerMails } from './send-answers.ts'

/** Serves the mail addresses of assistants, and lets assistants answer mails. */
export function serveAssistantMails(server: Server, deps: Deps): void {
  const { db, jobs } = deps
  deps.mailbox.onMail((token, mail) => receiveAssistantMail(deps, token, mail))
  // A slow mail server must not delay other jobs.
  jobs.register(ANSWER, (_, signal) => answerMails(deps, signal), { places: 1 })
  jobs.register('assistant-mails.due', () => requestAnswers(deps), { cron: '* * * * *' })
  jobs.register('assistant-mails.cleanup', () => removeOldMails(db), { cron: '49 * * * *' })
  serve(server, contract.getAssistantMail, {
    handle: ({ user, params: { assistantId } }) => show(deps, user, assistantId),
  })
  serve(server, contract.changeAssistantMail, {
    handle: async ({ user, params: { assistantId }, body, request }) => {
      const { name } = await findAllowed(db, user, 'manage assistant', assistantId)
      if (body.is_on) await assertCanAnswer(deps)
      await db.transaction().execute(async (trx) => {
        const before = await findAddress(trx, assistantId)
        await putAddress(trx, assistantId, user.id, body)
        const changes = [
          ...(body.is_on === undefined ? [] : changed('mail', onOff(before?.is_on), onOff(body.is_on))),
          ...(body.senders === undefined
            ? []
            : changed('senders', before?.senders.join(', ') ?? null, body.senders.join(', '))),
        ]
        await auditBy(deps, { user, request })(trx, {
          ...{ did: 'assistant.changed', subject: name, subjectId: assistantId, changes },
        })
      })
      return show(deps, user, assistantId)
    },
  })
}

const onOff = (isOn = false) => (isOn ? 'on' : 'off')

/** @throws AppError `conflict` while the installation cannot receive or send mails */
async function assertCanAnswer({ mailbox, mail }: Deps): Promise<void> {
  if (mailbox.address === null)
    throw new AppError(
      'conflict',
      'This installation does not receive mail. An administrator can set up a mailbox.',
    )
  if ((await mail.host()) === null)
    throw new AppError(
      'conflict',
      'This installation does not send mail. An administrator can set up a mail server.',
    )
}

async function show(deps: Deps, user: Caller, assistantId: string): Promise<contract.AssistantMail> {
  const { db, mailbox, mail } = deps
  const found = await findAddress(db, assistantId)
  const { kind } = await mailbox.state()
  const recent = await listRecent(db, user, assistantId)
  return {
    ...{ is_on: found?.is_on ?? false, senders: found?.senders ?? [] },
    address: found ? mailbox.addressOf(found.token) : null,
    ...{ can_receive: mailbox.address !== null, can_send: (await mail.host()) !== null },
    ...{ is_read: kind === 'read' || kind === 'starting', verifies_senders: mailbox.verifiesSenders },
    answers_for: found?.owner ?? null,
    owner_address: found ? found.owner_address : await findVerifiedAddress(db, user.id),
    recent: recent.map(({ received_at, ...one }) => ({ ...one, received_at: received_at.toISOString() })),
  }
}
