import type { MailOutcome } from '#shared/lifecycle/setup/setup.ts'

type Failure = { outcome: Exclude<MailOutcome, 'sent'>; said: string | null }
type Said = Error & { code?: unknown; response?: unknown; responseCode?: unknown; cause?: unknown }

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

function outcomeOf(code: string, said: string, answered: number): Failure['outcome'] {
  if (code === 'EDNS' || code === 'ENOTFOUND' || /ENOTFOUND|EAI_AGAIN/.test(said)) return 'not_found'
  if (certificate.test(code) || (answered === 0 && certificate.test(said))) return 'wrong_certificate'
  if (code === 'ETLS' || /wrong version number|STARTTLS/i.test(said)) return 'no_encryption'
  if (code === 'EAUTH' || answered === 535) return 'sign_in_refused'
  if (code === 'EENVELOPE' || code === 'EMESSAGE' || answered >= 400) return 'mail_refused'
  if (/^(ECONN|ETIMEDOUT|ESOCKET|EHOST|ENET)/.test(code)) return 'unreachable'
  return 'failed'
}
