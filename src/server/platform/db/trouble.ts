const lostConnection = new Set(
  'ECONNREFUSED ECONNRESET ENOENT EPIPE ENOTFOUND EAI_AGAIN ETIMEDOUT EHOSTUNREACH'.split(' '),
)
/** Connection lost or refused, server starting or stopping, too many clients. */
const lostServer = /^(08|57P0[1235]|53300)/
const lostText =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (was closed|has encountered))/

/** Returns whether a database call failed because the server is currently unreachable. */
export function isUnreachable(error: unknown): boolean {
  const { code, message, syscall } = describe(error)
  if (lostServer.test(code)) return true
  if (lostConnection.has(code)) return syscall !== 'open' && syscall !== 'stat'
  return lostText.test(message)
}

/** Returns whether the server rolled a transaction back because of another one: a deadlock, or a failed serialization. */
export function isRolledBack(error: unknown): boolean {
  return /^40(001|P01)$/.test(describe(error).code)
}

/** Returns whether an operation failed because a disk is full, here or at the database. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', '53100'].includes(describe(error).code)
}

/** Returns the maximum number of people of a company that refused another one; null for other errors (migrations/0321_company_changes.sql). */
export function readFullCompany(error: unknown): number | null {
  const { code, detail } = error instanceof Error ? (error as Error & { code?: string; detail?: string }) : {}
  return code === 'ATFUL' ? Number(detail) : null
}

/** Returns whether the database refused to delete what a legal hold covers (migrations/0511_legal_holds.sql). */
export function isHeld(error: unknown): boolean {
  return describe(error).code === 'ATHLD'
}

/** Returns the company whose last administrator who can enter would have gone; null for other errors (migrations/0540_company_networks.sql). */
export function readLastAdministrator(error: unknown): string | null {
  const { code, detail } = error instanceof Error ? (error as Error & { code?: string; detail?: string }) : {}
  return code === 'ATENT' ? (detail ?? '') : null
}

/** Returns whether the database refused text it cannot store: a NUL character, or a lone surrogate in JSON. */
export function isUnstorableText(error: unknown): boolean {
  const { code, message } = describe(error)
  return ['22021', '22P05'].includes(code) || (code === '22P02' && message.includes('type json'))
}

/** Returns the server's reason for refusing the connection; null for other errors. */
export function explainRefusal(error: unknown): string | null {
  const { code, message } = describe(error)
  // Wrong password, user or database, or no permission to use it.
  if (isUnreachable(error) || /^(28|3D|42501)/.test(code)) return message || code
  return null
}

function describe(error: unknown) {
  if (!(error instanceof Error)) return { code: '', message: '', syscall: '' }
  const { code, syscall } = error as NodeJS.ErrnoException
  return { code: String(code ?? ''), message: error.message, syscall: syscall ?? '' }
}
