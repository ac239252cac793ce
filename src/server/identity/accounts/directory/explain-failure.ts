import type { DirectorySettings } from './directory-settings.ts'

type Problem =
  | 'untrusted'
  | 'unreachable'
  | 'not_found'
  | 'no_answer'
  | 'no_file'
  | 'bind_refused'
  | 'no_entry'
  | 'not_allowed'
  | 'bad_filter'
  | 'other'

/**
 * Explains for the log why a directory request failed. The text names settings and addresses, never a password.
 */
export function explainFailure(
  error: unknown,
  { url: at, names }: Pick<DirectorySettings, 'url' | 'names'>,
): string {
  const { name, message, code } = partsOf(error)
  const texts: Record<Problem, string> = {
    untrusted: `Its certificate is not trusted (${code}). Check ${names.url} and ${names.ca}.`,
    unreachable: `Nothing listens at ${at} (${code}). Check ${names.url}.`,
    not_found: `The name in ${names.url} cannot be looked up (${code}).`,
    no_answer: `${at} does not answer in time. Check ${names.url} and the firewall.`,
    no_file: `The file in ${names.ca} cannot be read (${code}).`,
    bind_refused: `It refuses the account that searches. Check ${names.account} and ${names.password}.`,
    no_entry: `It has no entry at ${names.base} or ${names.groupBase}.`,
    not_allowed: `The account in ${names.account} may not search there. Give it the right to read.`,
    bad_filter: `It cannot read the filter in ${names.userFilter} or ${names.groupFilter}: ${message.slice(0, 200)}`,
    other: `${name || 'Error'}${code && code !== name ? ` (${code})` : ''}: ${message.slice(0, 300)}`,
  }
  return texts[classifyFailure(error)]
}

/** Returns what is wrong when a directory request failed. */
export function classifyFailure(error: unknown): Problem {
  const { name, message, code } = partsOf(error)
  if (isMistrusted(error)) return 'untrusted'
  if (code === 'ECONNREFUSED') return 'unreachable'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'not_found'
  if (/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/.test(code) || /timed? ?out/i.test(message)) return 'no_answer'
  if (code === 'ENOENT' || code === 'EACCES') return 'no_file'
  if (name === 'InvalidCredentialsError' || name === 'InvalidDNSyntaxError') return 'bind_refused'
  if (name === 'NoSuchObjectError') return 'no_entry'
  if (name === 'InsufficientAccessError') return 'not_allowed'
  const isFilter = name === 'InvalidSearchFilterError'
  if (isFilter || /filter|paren|invalid (?:attribute|expression)/i.test(message)) return 'bad_filter'
  return 'other'
}

/** Returns whether the directory's certificate caused the failure. */
export function isMistrusted(error: unknown): boolean {
  return /^(CERT_|ERR_TLS|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/.test(partsOf(error).code)
}

function partsOf(error: unknown): { name: string; message: string; code: string } {
  const { name = '', message = '' } = error instanceof Error ? error : {}
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return { name, message, code }
}
