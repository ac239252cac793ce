const lostConnection = new Set(
  'ECONNREFUSED ECONNRESET ENOENT EPIPE ENOTFOUND EAI_AGAIN ETIMEDOUT EHOSTUNREACH'.split(' '),
)
/** Connection lost or not accepted, the server stops or starts, too many clients. */
const lostServer = /^(08|57P0[1235]|53300)/
const lostText =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (was closed|has encountered))/

/** Whether a database call failed because the server cannot be reached right now. */
export function isUnreachable(error: unknown): boolean {
  const { code, message, syscall } = describe(error)
  if (lostServer.test(code)) return true
  if (lostConnection.has(code)) return syscall !== 'open' && syscall !== 'stat'
  return lostText.test(message)
}

/** Whether something failed because a disk is full, here or in the database. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', '53100'].includes(describe(error).code)
}

/** Whether text was refused that the database cannot keep: a NUL character, or half a surrogate pair in JSON. */
export function isUnstorableText(error: unknown): boolean {
  const { code, message } = describe(error)
  return ['22021', '22P05'].includes(code) || (code === '22P02' && message.includes('type json'))
}

/** Why a server does not let us in, in its words; null when that is not what happened. */
export function explainRefusal(error: unknown): string | null {
  const { code, message } = describe(error)
  // Wrong password, user or database, or not allowed to use it.
  if (isUnreachable(error) || /^(28|3D|42501)/.test(code)) return message || code
  return null
}

function describe(error: unknown) {
  if (!(error instanceof Error)) return { code: '', message: '', syscall: '' }
  const { code, syscall } = error as NodeJS.ErrnoException
  return { code: String(code ?? ''), message: error.message, syscall: syscall ?? '' }
}
