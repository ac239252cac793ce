export type Mail = { to: string; subject: string; text: string; html: string }

/** A mail server as a super admin wrote it down. */
export type MailServer = {
  host: string
  port: number
  /** `starttls`: encrypted once connected, or not at all; `tls`: from the first byte; `none`: in the clear. */
  security: 'starttls' | 'tls' | 'none'
  username: string | null
  password: string | null
  /** Whom mails are from: an address, or a name with one in angle brackets. */
  sender: string
}

/** Sends mail over SMTP; without a mail server it lands as a file (0600) in `<data>/outbox`. */
export type Mailer = {
  send(mail: Mail): Promise<void>
  /** Asks whether mail would be taken now, without sending any. @throws what the server or the folder says */
  check(): Promise<void>
  /** Sends through a server that is not in use yet. */
  sendThrough(server: MailServer, mail: Mail): Promise<void>
  /** Removes the mails to an address that lie in the outbox, and gives how many. What was sent is its receiver's. */
  forget(address: string): Promise<number>
  /** The name of the mail server; null when mail only lands in the outbox. */
  host(): Promise<string | null>
}
