/** Maximum size of a mail that is read, in bytes. */
export const MAX_MAIL_BYTES = 25 * 1024 * 1024
/** Maximum attachments of a mail that is read. */
export const MAX_ATTACHMENTS = 10

/** The body of a mail. */
export type OpenedMail = {
  subject: string
  text: string
  attachments: { name: string; bytes: Uint8Array }[]
}

/** A mail of which only the header was read. */
export type ArrivedMail = {
  /** Message-ID; a hash of the header for a mail without a usable one. */
  id: string
  /** Address of the sender, in lower case; null unless the mail names exactly one. */
  sender: string | null
  /** Message-IDs of the mails that it answers, the oldest first. */
  earlier: string[]
  /** Header lines that a log shows. */
  shown: Record<string, string>
  /** Why no receiver may accept it from any sender; null when it is acceptable. */
  refusal: string | null
  /** Reads the body. @throws AppError `malformed`, `too_large` */
  open(): Promise<OpenedMail>
}

/** Handles a mail to the address with a token. Returns false for an unknown token. A mail may arrive more than once. */
export type MailReceiver = (token: string, mail: ArrivedMail) => Promise<boolean>

/**
 * `off`: there is no mailbox. `read`: its mails are read. `starting`: no process has read it yet. `failing`: the server refuses, with its message.
 * `unread`: no process has read it for minutes.
 */
export type MailboxState = { kind: 'off' | 'read' | 'starting' | 'failing' | 'unread'; error: string }

/** The mailbox of this installation, read over IMAP by one process at a time. */
export type Mailbox = {
  /** Its address; null when it is not configured. */
  address: string | null
  /** True when the receiving mail server authenticates senders. */
  verifiesSenders: boolean
  /** Returns the address with a token; null without a mailbox. */
  addressOf(token: string): string | null
  /** Adds a receiver. Call it before `start`. */
  onMail(receiver: MailReceiver): void
  state(): Promise<MailboxState>
  start(): void
  stop(): Promise<void>
}
