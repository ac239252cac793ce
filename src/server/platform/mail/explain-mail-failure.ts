import type { MailOutcome } from '#shared/platform/mail-outcome.ts'

type Failure = { outcome: Exclude<MailOutcome, 'sent'>; said: string | null }
type Said = Error & {
  code?: unknown
  response?: unknown
  responseCode?: unknown
  /** SMTP command that failed, as nodemailer names it; `CONN` for any lost connection. */
  command?: unknown
  syscall?: unknown
  timeoutType?: unknown
}

/** Maximum characters shown of a server's message. */
const SHOWN = 300
/** Node's and OpenSSL's error codes for invalid certificates. */
const certificate =
  /^(CERT_|ERR_TLS_CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH)|self.signed|certificate/i

/** Explains why a mail was not sent, from the errors of nodemailer and Node. */
export function explainFailure(error: unknown): Failure {
  const { code, response, responseCode, message } = error as Said
  const said = (typeof response === 'string' ? response : String(message ?? '')).trim().slice(0, SHOWN)
  return { outcome: outcomeOf(String(code ?? ''), said, Number(responseCode ?? 0)), said: said || null }
}

/**
 * Fate of a mail that failed. `refused`: the server refused this addressee for good; `later`: for now;
 * `unsent`: the server accepts no mails; `unknown`: the connection broke, perhaps after the server accepted the mail.
 */
type MailFate = 'refused' | 'later' | 'unsent' | 'unknown'

/** Commands before the addressee is named. */
const early = /^(EHLO|HELO|LHLO|STARTTLS|AUTH|MAIL FROM)/

/** Returns what became of a mail, from the errors of nodemailer and Node. */
export function fateOf(error: unknown): MailFate {
  const { code, responseCode, command, syscall, timeoutType } = error as Said
  const [step, answered] = [String(command ?? ''), Number(responseCode ?? 0)]
  if (step === 'API' && code === 'EENVELOPE') return 'refused'
  if (early.test(step) || code === 'EDNS' || code === 'ETLS' || code === 'EAUTH') return 'unsent'
  if (syscall === 'connect' || syscall === 'getaddrinfo' || timeoutType !== undefined)
    return timeoutType === 'SOCKET_TIMEOUT' ? 'unknown' : 'unsent'
  if (step !== 'RCPT TO' && step !== 'DATA') return 'unknown'
  return answered >= 500 ? 'refused' : answered >= 400 ? 'later' : 'unknown'
}

function outcomeOf(code: string, said: string, answered: number): Failure['outcome'] {
  if (code === 'EDNS' || code === 'ENOTFOUND' || /ENOTFOUND|EAI_AGAIN/.test(said)) return 'not_found'
  if (certificate.test(code) || (answered === 0 && certificate.test(said))) return 'wrong_certificate'
  if (code === 'ETLS' || /wrong version number|STARTTLS/i.test(said)) return 'no_encryption'
  if (code === 'EAUTH' || answered === 535) return 'sign_in_refused'
  if (code === 'EENVELOPE' || code === 'EMESSAGE' || answered >= 400) return 'mail_refused'
  if (/^(ECONN|ETIMEDOUT|ESOCKET|EHOST|ENET)/.test(code)) return 'unreachable'
  return 'failed'
}
