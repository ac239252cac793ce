import {
  MAX_ASSISTANT_ANSWERS_PER_HOUR,
  MAX_THREAD_ANSWERS_PER_HOUR,
} from '#shared/chat/assistant-mails/assistant-mails.ts'
import { isSenderOf } from '#shared/chat/schedules/senders.ts'
import { AppError } from '#shared/platform/errors.ts'
import {
  filesOf,
  type MailFiles,
  storeAttachments,
  subjectOf,
  textOf,
} from '../../chat/schedules/schedules.ts'
import { assertBalance } from '../../money/billing/billing.ts'
import type { ArrivedMail, OpenedMail } from '../../platform/mailbox/mailbox.ts'
import type { Deps } from '../../tools/deps.ts'
import { type Address, findAddressByToken, lockAddress } from './address-store.ts'
import {
  countOfHour,
  findThread,
  insertMail,
  insertMailFile,
  insertRefusedMail,
  insertThread,
  isKnownMail,
  listKnownFiles,
} from './assistant-mail-store.ts'
import { requestAnswers } from './request-answers.ts'

/**
 * Stores a mail to the assistant whose address has the token, once per Message-ID; a job answers it. Refused mails are logged without
 * their text and get no answer. Returns false for an unknown token. A refusal that may pass is thrown, so that the mail is read again.
 */
export async function receiveAssistantMail(deps: Deps, token: string, mail: ArrivedMail): Promise<boolean> {
  const address = await findAddressByToken(deps.db, token)
  if (!address) return false
  const { assistant_id, user_id } = address
  try {
    assertAllowed(address, mail)
    if (await isKnownMail(deps.db, assistant_id, mail.id)) return true
    await assertFewOfAssistant(deps.db, assistant_id)
    await assertBalance(deps, user_id)
    const opened = await mail.open()
    await storeAttachments(deps, await filesOfMail(deps, address, mail), filesOf(opened))
    await store(deps, address, mail, opened)
    await requestAnswers(deps)
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error
    const { from = '', subject = '' } = mail.shown
    const refused = { assistant_id, foreign_id: mail.id, sender: mail.sender ?? from, subject }
    await insertRefusedMail(deps.db, { ...refused, detail: error.detail })
  }
  return true
}

/** @throws AppError `forbidden` for a sender who is not on the list or not genuine, `conflict` for an address that is not on */
function assertAllowed({ senders, owner_address, is_on, is_active }: Address, mail: ArrivedMail): void {
  const { sender, refusal } = mail
  if (sender === null) throw new AppError('forbidden', refusal ?? 'The mail names no sender.')
  if (sender !== owner_address && !isSenderOf(senders, sender))
    throw new AppError('forbidden', `${sender} may not write to this assistant.`)
  if (refusal !== null) throw new AppError('forbidden', refusal)
  if (!is_on || !is_active) throw new AppError('conflict', 'This assistant does not answer mails.')
}

async function assertFewOfAssistant(db: Deps['db'], assistantId: string): Promise<void> {
  if ((await countOfHour(db, assistantId, null)) >= MAX_ASSISTANT_ANSWERS_PER_HOUR)
    throw new AppError(
      'rate_limited',
      `This assistant answers at most ${MAX_ASSISTANT_ANSWERS_PER_HOUR} mails an hour.`,
    )
}

async function filesOfMail({ db }: Deps, address: Address, mail: ArrivedMail): Promise<MailFiles> {
  const row = { assistant_id: address.assistant_id, foreign_id: mail.id }
  return {
    userId: address.user_id,
    known: await listKnownFiles(db, row.assistant_id, mail.id),
    note: (trx, place, document_id) => insertMailFile(trx, { ...row, place, document_id }),
  }
}

/** Stores the mail with its thread in one commit, unless it is known. */
async function store(
  deps: Deps,
  { assistant_id, user_id }: Address,
  mail: ArrivedMail,
  opened: OpenedMail,
): Promise<void> {
  const domain = deps.mailbox.address?.split('@')[1] ?? ''
  await deps.db.transaction().execute(async (trx) => {
    const address = await lockAddress(trx, assistant_id)
    if (!address || address.user_id !== user_id)
      throw new AppError('conflict', 'This assistant does not answer mails.')
    if (await isKnownMail(trx, assistant_id, mail.id)) return
    assertAllowed(address, mail)
    await assertFewOfAssistant(trx, assistant_id)
    const { sender, earlier } = mail
    const of = { assistantId: assistant_id, userId: user_id, sender: sender ?? '', earlier, domain }
    const known = await findThread(trx, of)
    if (known && (await countOfHour(trx, assistant_id, known)) >= MAX_THREAD_ANSWERS_PER_HOUR)
      throw new AppError(
        'rate_limited',
        `This assistant answers at most ${MAX_THREAD_ANSWERS_PER_HOUR} mails of a thread an hour.`,
      )
    await insertMail(trx, {
      ...{ assistant_id, thread_id: known ?? (await insertThread(trx, of)), foreign_id: mail.id, earlier },
      ...{ sender: of.sender, subject: subjectOf(opened), body: textOf(opened) },
    })
  })
}
