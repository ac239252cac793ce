import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import { findAssistant } from '../../chat/assistants/assistants.ts'
import { appendMessage, planMessage, startReply } from '../../chat/messages/messages.ts'
import { keepReadable } from '../../chat/schedules/schedules.ts'
import { insertSession } from '../../chat/sessions/sessions.ts'
import { readUser } from '../../identity/accounts/accounts.ts'
import { linkToSession } from '../../knowledge/documents/documents.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { isUnreachable, toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { failMail, lockWaiting, markAnswering, postponeMail, type WaitingMail } from './answer-store.ts'
import { introduceMail } from './mail-texts.ts'

/** Codes of passing failures. */
const passing = new Set(['session_busy', 'rate_limited', 'unavailable'])
const RETRY_SECONDS = 30

/** Starts the run of a mail, or notes why it cannot. */
export async function startMail(deps: Deps, mail: WaitingMail): Promise<void> {
  try {
    await start(deps, mail)
  } catch (error) {
    if (isUnreachable(error)) throw error
    if (error instanceof AppError && passing.has(error.code))
      return postponeMail(deps.db, mail.id, RETRY_SECONDS)
    if (!(error instanceof AppError))
      deps.log.error({ err: error, mail: mail.id }, 'A mail to an assistant could not be answered.')
    await failMail(deps.db, mail.id, error instanceof AppError ? error.detail : 'The run could not start.')
  }
}

/** Message, run and state of the mail are one commit, so that a second start does nothing. */
async function start(deps: Deps, mail: WaitingMail): Promise<void> {
  const owner = await callerOf(deps, mail.user_id)
  const assistant = await findAssistant(deps, owner, mail.assistant_id)
  const sessionId = await chatOf(deps, owner, mail)
  const document_ids = await keepReadable(deps.db, owner, mail.files)
  if (document_ids.length > 0) await linkToSession(deps.db, sessionId, document_ids)
  const session = await findAllowed(deps.db, owner, 'write session', sessionId)
  const { plan } = await planMessage(deps, owner, session, {
    mentions: [{ kind: 'assistant', id: assistant.id }],
  })
  const content = `${introduceMail(mail, owner.language)}\n\n${mail.body}`.trim()
  let isTaken = false
  const store = async (trx: Kysely<Tables>) => {
    isTaken = !(await lockWaiting(trx, mail.id))
    if (isTaken) throw new AppError('conflict', 'This mail is being answered.')
    const message = { content, client_id: `mail ${mail.id}`, document_ids, author_id: owner.id }
    const stored = await appendMessage(trx, deps, sessionId, { ...message, is_by_others: true })
    await markAnswering(trx, mail, stored.id, sessionId)
    return stored
  }
  try {
    await startReply(deps, plan, store)
  } catch (error) {
    if (!isTaken) throw error
  }
}

/** Returns the person as a caller, with the rights of this moment. */
async function callerOf(deps: Deps, userId: string): Promise<Caller> {
  const user = await readUser(deps, userId)
  return { kind: 'user', ...user, tokenHash: Buffer.alloc(0), verified: true }
}

/** Returns the chat of the thread. A new one has the id of its first mail. */
async function chatOf(deps: Deps, owner: Caller, mail: WaitingMail): Promise<string> {
  if (mail.session_id !== null) {
    const isThere = await findAllowed(deps.db, owner, 'write session', mail.session_id).then(
      () => true,
      (error) => {
        if (error instanceof AppError) return false
        throw error
      },
    )
    if (isThere) return mail.session_id
  }
  await insertSession(deps.db, {
    ...{ id: mail.id, user_id: mail.user_id, title: mail.subject || mail.sender, title_source: 'user' },
    session_metadata: toJson({ assistant_id: mail.assistant_id }),
  })
  return mail.id
}
