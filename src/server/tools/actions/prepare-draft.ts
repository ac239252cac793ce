import type { DraftKind } from '#shared/runs/runs/request.ts'
import type { Filing, MailDraft } from '#shared/tools/actions/action-port.ts'
import type { RunContext } from '../../runs/runs/runs.ts'
import type { AccountDeps } from './accounts/account-deps.ts'
import { openStored } from './accounts/open-accounts.ts'
import { chooseAccount } from './action-port.ts'

const means = { mail: 'mail', filing: 'mail', event: 'calendar', ticket: 'tickets' } as const

/**
 * Completes the arguments of a call that acts outside, so that the person sees everything that will happen: the account it uses, and the
 * recipient and subject of an answer. @throws AppError when the person has no such account, or the mail is gone
 */
export async function prepareDraft(
  deps: AccountDeps,
  run: Pick<RunContext, 'input' | 'signal'>,
  kind: DraftKind,
  given: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const name = kind === 'mail' ? 'from' : 'account'
  const wanted = given[name]
  const stored = await chooseAccount(deps, run, means[kind], typeof wanted === 'string' ? wanted : undefined)
  const named = { ...given, [name]: stored.address }
  const { mail } = openStored(deps, run.input.user_id, stored, run.signal)
  if (kind === 'mail' && mail) {
    const { to = [], subject, reply_to } = given as Partial<MailDraft>
    if (!reply_to || (to.length > 0 && subject !== undefined)) return named
    const answered = await mail.find(reply_to)
    return {
      ...named,
      to: to.length > 0 ? to : [answered.answer_to],
      subject: subject ?? answerTo(answered.subject),
    }
  }
  if (kind === 'filing' && mail) {
    const answered = await mail.find((given as Filing).mail)
    return { ...named, subject: lineOf(answered.subject) }
  }
  return named
}

const lineOf = (subject: string) => subject.replace(/[\r\n\0]+/g, ' ').slice(0, 500)
const answerTo = (subject: string) => lineOf(/^re:/i.test(subject) ? subject : `Re: ${subject}`)
