import { setTimeout as sleep } from 'node:timers/promises'
import { withoutCitations } from '#shared/platform/citations/citation-tags.ts'
import { explainFailure, fateOf, type Mail } from '../../platform/mail/mail.ts'
import { escapeHtml, page } from '../../platform/mail/mail-html.ts'
import type { Deps } from '../../tools/deps.ts'
import {
  type AnsweredMail,
  claimAnswer,
  failMail,
  listAnswered,
  listWaiting,
  markInterrupted,
  settleAnswer,
} from './answer-store.ts'
import { startMail } from './start-mail.ts'

const BATCH = 50
const MINUTE_MS = 60_000
const RETRY_SECONDS = 300
const LATER_SECONDS = 900
const MAX_TRIES = 5

/** Starts the runs of waiting mails, and sends the answers of those that are over. All such jobs share one queue. */
export async function answerMails(deps: Deps, signal: AbortSignal): Promise<void> {
  // The queue runs one job at a time, so the job that was sending them is gone.
  await markInterrupted(deps.db)
  for (const mail of await listWaiting(deps.db, BATCH)) {
    if (signal.aborted) return
    await startMail(deps, mail)
  }
  for (const mail of await listAnswered(deps.db, BATCH)) {
    if (signal.aborted) return
    if ((await sendAnswer(deps, mail)) === 'unreachable') return
    const pause = MINUTE_MS / deps.config.ATRIUM_LIMIT_MAILS_A_MINUTE
    await sleep(pause, undefined, { signal }).catch(() => undefined)
  }
}

/** Sends an answer once: its state is committed before it leaves. */
async function sendAnswer(deps: Deps, mail: AnsweredMail): Promise<'settled' | 'unreachable'> {
  const { db } = deps
  const text = withoutCitations(mail.text ?? '').trim()
  if (text === '') {
    await failMail(db, mail.id, 'The run ended without a reply.')
    return 'settled'
  }
  const claimed = await claimAnswer(db, mail.id)
  const address = claimed && deps.mailbox.addressOf(claimed.token)
  if (!address) {
    if (claimed) await settleAnswer(db, mail.id, { state: 'failed', detail: 'There is no mailbox.' })
    else await failMail(db, mail.id, 'This assistant does not answer mails any more.')
    return 'settled'
  }
  try {
    await deps.mail.send(composeAnswer(mail, text, address))
  } catch (error) {
    const { said } = explainFailure(error)
    const fate = fateOf(error)
    const isLater = fate === 'later' && mail.tries + 1 < MAX_TRIES
    const waits = fate === 'unsent' ? RETRY_SECONDS : isLater ? LATER_SECONDS * (mail.tries + 1) : 0
    const state = waits > 0 ? 'answering' : fate === 'unknown' ? 'unknown' : 'failed'
    await settleAnswer(db, mail.id, { state, detail: said, waits })
    return fate === 'unsent' || fate === 'unknown' ? 'unreachable' : 'settled'
  }
  await settleAnswer(db, mail.id, { state: 'answered' })
  return 'settled'
}

/** Returns the answer to a mail in its thread. Answers to it go to the address of the assistant. */
function composeAnswer(
  { id, sender, subject, foreign_id, earlier }: Omit<AnsweredMail, 'text'>,
  text: string,
  address: string,
): Mail {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  // A mail without a Message-ID cannot be referred to.
  const ids = foreign_id.startsWith('sha256:') ? earlier : [...earlier, foreign_id]
  const last = foreign_id.startsWith('sha256:') ? null : foreign_id
  const paragraphs = text.split(/\n{2,}/).map((part) => `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`)
  return {
    ...{ to: sender, subject: /^re\s*:/i.test(subject) ? subject : `Re: ${subject}`, text },
    html: page(paragraphs),
    headers: {
      ...{ 'Message-ID': `<${id}@${domain}>`, 'Reply-To': address, 'Auto-Submitted': 'auto-replied' },
      ...(last !== null && { 'In-Reply-To': `<${last}>` }),
      ...(ids.length > 0 && { References: ids.map((one) => `<${one}>`).join(' ') }),
    },
  }
}
