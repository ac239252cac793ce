import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createOutbox } from './outbox.ts'
import { createSmtp } from './smtp.ts'

export type Mail = { to: string; subject: string; text: string; html: string }

/** Sends mail over SMTP; without SMTP it lands as a file (0600) in `<data>/outbox`. */
export type Mailer = {
  send(mail: Mail): Promise<void>
  /** False when mail only lands in the outbox. */
  readonly isConfigured: boolean
}

/** The mailer of this installation. */
export function createMailer(config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'dataDir'>): Mailer {
  if (config.SMTP_URL) return createSmtp(config.SMTP_URL, config.MAIL_FROM)
  return createOutbox(join(config.dataDir, 'outbox'), config.MAIL_FROM)
}
