import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Mail, Mailer } from './mail-port.ts'
import { createOutbox } from './outbox.ts'
import { checkServer, createSmtp, sendByServer } from './smtp.ts'
import type { StoredServer } from './store.ts'

export { explainFailure, fateOf } from './explain-mail-failure.ts'
export type { Mail, Mailer, MailServer } from './mail-port.ts'
export { type StoredServer, storedServer } from './store.ts'

/**
 * Creates the mailer of this installation. The environment takes precedence over stored settings. These are read for each
 * mail, so every process follows a change immediately.
 */
export function createMailer(
  config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'dataDir'>,
  stored: StoredServer,
): Mailer {
  const outbox = createOutbox(join(config.dataDir, 'outbox'), config.MAIL_FROM)
  const always = { sendThrough: sendByServer, forget: outbox.forget }
  if (config.SMTP_URL) {
    const { host } = new URL(config.SMTP_URL)
    const smtp = createSmtp(config.SMTP_URL, config.MAIL_FROM)
    return { ...always, ...smtp, host: async () => host }
  }
  return {
    ...always,
    send: async (mail: Mail) => {
      const server = await stored.read()
      await (server ? sendByServer(server, mail) : outbox.send(mail))
    },
    check: async () => {
      const server = await stored.read()
      await (server ? checkServer(server) : outbox.check())
    },
    host: stored.host,
  }
}
