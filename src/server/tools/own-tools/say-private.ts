import { AppError } from '#shared/platform/errors.ts'
import { toolError } from '#shared/tools/tools/tool-errors.ts'
import { PrivateHost } from '../../platform/outbound/outbound.ts'

/** Returns the same error. For a host in a private network it names the setting that allows it, and who can change it. */
export function sayPrivate(error: unknown): unknown {
  if (!(error instanceof PrivateHost)) return error
  return new AppError('invalid', toolError('private_host', { host: error.host }), { cause: error })
}
