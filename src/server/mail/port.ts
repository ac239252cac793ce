export type Mail = { to: string; subject: string; text: string; html: string }

/** Sends mail over SMTP; without SMTP it lands as a file (0600) in `<data>/outbox`. */
export type Mailer = {
  send(mail: Mail): Promise<void>
  /** False when mail only lands in the outbox. */
  readonly isConfigured: boolean
}
