/**
 * Explains for the log why a directory request failed. The text names settings and addresses, never a password.
 * `at` is the directory's address.
 */
export function explainFailure(error: unknown, at: string): string {
  const { name = '', message = '' } = error instanceof Error ? error : {}
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (isMistrusted(error)) return `Its certificate is not trusted (${code}). Check LDAP_URL and LDAP_CA.`
  if (code === 'ECONNREFUSED') return `Nothing listens at ${at} (${code}). Check LDAP_URL.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The name in LDAP_URL cannot be looked up (${code}).`
  if (/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/.test(code) || /timed? ?out/i.test(message))
    return `${at} does not answer in time. Check LDAP_URL and the firewall.`
  if (code === 'ENOENT' || code === 'EACCES') return `The file in LDAP_CA cannot be read (${code}).`
  if (name === 'InvalidCredentialsError' || name === 'InvalidDNSyntaxError')
    return 'It refuses the account that searches. Check LDAP_BIND_DN and LDAP_BIND_PASSWORD.'
  if (name === 'NoSuchObjectError') return 'It has no entry at LDAP_SEARCH_BASE or LDAP_GROUP_BASE.'
  if (name === 'InsufficientAccessError')
    return 'The account in LDAP_BIND_DN may not search there. Give it the right to read.'
  if (name === 'InvalidSearchFilterError' || /filter|paren|invalid (?:attribute|expression)/i.test(message))
    return `It cannot read the filter in LDAP_USER_FILTER or LDAP_GROUP_FILTER: ${message.slice(0, 200)}`
  return `${name || 'Error'}${code && code !== name ? ` (${code})` : ''}: ${message.slice(0, 300)}`
}

/** Returns whether the directory's certificate caused the failure. */
export function isMistrusted(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(CERT_|ERR_TLS|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/.test(code)
}
