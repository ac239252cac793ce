import { ImapSettings } from '#shared/tools/actions/personal-accounts.ts'
import type { Config } from '../../../../platform/config/config.ts'
import type { OpenAccount } from '../provider-port.ts'
import { fileMail, findAnswered, readMail, searchMails } from './imap-mails.ts'
import { type MailboxReach, withMailbox } from './mailbox-session.ts'
import { checkSending, sendMail } from './send-mail.ts'

type Context = { config: Config; signal: AbortSignal; now: () => Date }

/** Opens a mailbox with its stored settings. */
export function openMailbox(context: Context, stored: unknown): OpenAccount {
  const settings = ImapSettings.parse(stored)
  const reach: MailboxReach = { settings, config: context.config, signal: context.signal }
  return {
    ...{ address: settings.address, name: settings.name ?? '' },
    mail: {
      search: (query) => withMailbox(reach, (client) => searchMails(client, query)),
      read: (id) => withMailbox(reach, (client) => readMail(client, id)),
      find: (id) => withMailbox(reach, (client) => findAnswered(client, id)),
      file: (filing, once) => withMailbox(reach, (client) => fileMail(client, filing, once)),
      send: (mail, once) => sendMail(reach, mail, once, context.now()),
    },
  }
}

/** Tries both servers of a mailbox. @throws AppError `unavailable` */
export async function checkMailbox(reach: MailboxReach): Promise<void> {
  await withMailbox(reach, (client) => client.noop())
  await checkSending(reach)
}
