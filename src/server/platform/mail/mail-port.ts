export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
  /** Replaces the name, and the address where it is not null, of the installation's sender. */
  sender?: { name: string | null; address: string | null }
  replyTo?: string
  /** Pictures in PNG that the HTML names as `cid:` and their id. */
  pictures?: { id: string; content: Buffer }[]
}

/** A mail server configured by a super admin. */
export type MailServer = {
  host: string
  port: number
  /** `starttls`: requires encryption after connecting; `tls`: encrypted from the first byte; `none`: unencrypted. */
  security: 'starttls' | 'tls' | 'none'
  username: string | null
  password: string | null
  /** Sender of mails: an address, or a name followed by one in angle brackets. */
  sender: string
}

/** Sends mail over SMTP. Without a mail server, it writes files (0600) to `<data>/outbox`. */
export type Mailer = {
  send(mail: Mail): Promise<void>
  /** Checks whether mail would be accepted, without sending any. @throws the error of the server or folder */
  check(): Promise<void>
  /** Sends through a server that is not configured yet. */
  sendThrough(server: MailServer, mail: Mail): Promise<void>
  /** Deletes mails to an address from the outbox. Returns their number. Sent mails are out of reach. */
  forget(address: string): Promise<number>
  /** Returns the host name of the mail server; null if mail goes only to the outbox. */
  host(): Promise<string | null>
}
