import { isSenderOf } from '#shared/chat/schedules/senders.ts'
import { AppError } from '#shared/platform/errors.ts'
import { assertBalance } from '../../../money/billing/billing.ts'
import { cleanCharacters } from '../../../platform/db/db.ts'
import type { ArrivedMail, OpenedMail } from '../../../platform/mailbox/mailbox.ts'
import type { Deps } from '../../../tools/deps.ts'
import { requestRuns } from '../running/run-schedules.ts'
import { assertRoom } from '../triggers/deliver.ts'
import { countRepetition, insertDelivery, insertRefused } from '../triggers/delivery-store.ts'
import {
  findByToken,
  insertAttachment,
  listStoredPlaces,
  lockMailTarget,
  type MailTarget,
} from './mail-store.ts'
import { filesOf, subjectOf, textOf } from './mail-text.ts'
import { type MailFiles, storeAttachments } from './store-attachments.ts'

/**
 * Starts the schedule whose address has the token, once per Message-ID. Refused mails are logged without their text. Returns false for an
 * unknown token. A refusal that may pass is thrown, so that the mail is read again.
 */
export async function receiveMail(deps: Deps, token: string, mail: ArrivedMail): Promise<boolean> {
  const target = await findByToken(deps.db, token)
  if (!target) return false
  const log = { schedule_id: target.id, kind: 'mail' as const, foreign_id: mail.id, headers: mail.shown }
  try {
    assertAllowed(target, mail)
    if (await countRepetition(deps.db, target.id, 'mail', mail.id)) return true
    await assertBalance(deps, target.user_id)
    await assertRoom(deps.db, target.id)
    const opened = await mail.open()
    await storeAttachments(deps, await filesOfMail(deps, target, mail), filesOf(opened))
    await store(deps, target, mail, opened)
    await requestRuns(deps)
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error
    await insertRefused(deps.db, { ...log, status: error.status, detail: error.detail })
  }
  return true
}

/** @throws AppError `forbidden` for a sender who is not on the list or not genuine, `conflict` for a schedule that is not on */
function assertAllowed({ rule, owner_address, state, is_active }: MailTarget, mail: ArrivedMail): void {
  const { sender, refusal } = mail
  if (sender === null) throw new AppError('forbidden', refusal ?? 'The mail names no sender.')
  if (sender !== owner_address && !isSenderOf(rule.senders, sender))
    throw new AppError('forbidden', `${sender} may not start this schedule.`)
  if (refusal !== null) throw new AppError('forbidden', refusal)
  if (state !== 'on' || !is_active) throw new AppError('conflict', 'This schedule is not turned on.')
}

/** Returns the documents that a mail to a schedule has so far. */
async function filesOfMail({ db }: Deps, target: MailTarget, mail: ArrivedMail): Promise<MailFiles> {
  const row = { schedule_id: target.id, foreign_id: mail.id }
  return {
    userId: target.user_id,
    known: await listStoredPlaces(db, target.id, mail.id),
    note: (trx, place, document_id) => insertAttachment(trx, { ...row, place, document_id }),
  }
}

/** Stores the delivery with its slot in one commit, unless the mail is known. */
async function store(deps: Deps, { id }: MailTarget, mail: ArrivedMail, opened: OpenedMail): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const target = await lockMailTarget(trx, id)
    if (!target) throw new AppError('conflict', 'This schedule does not start on a mail.')
    if (await countRepetition(trx, id, 'mail', mail.id)) return
    assertAllowed(target, mail)
    await assertRoom(trx, id)
    const field_values = valuesOf(mail, opened)
    await insertDelivery(trx, {
      ...{ schedule_id: id, kind: 'mail', foreign_id: mail.id, headers: mail.shown, field_values },
      ...{ body: JSON.stringify(field_values, null, 2), signed_by: null, replay_of: null },
    })
  })
}

/** Returns the texts that a mail gives to fields: `from`, `subject`, `text` and the names of its `files`. */
function valuesOf({ sender }: ArrivedMail, opened: OpenedMail): Record<string, string> {
  return {
    from: sender ?? '',
    subject: subjectOf(opened),
    text: textOf(opened),
    files: cleanCharacters(opened.attachments.map(({ name }) => name.slice(0, 255)).join(', ')),
  }
}
