import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createOutbox } from './outbox.ts'
import type { Mailer } from './port.ts'
import { createSmtp } from './smtp.ts'

export type { Mail, Mailer } from './port.ts'

/** The mailer of this installation. */
export function createMailer(config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'dataDir'>): Mailer {
  if (config.SMTP_URL) return createSmtp(config.SMTP_URL, config.MAIL_FROM)
  return createOutbox(join(config.dataDir, 'outbox'), config.MAIL_FROM)
}
