import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import { AppError } from '#shared/platform/errors.ts'
import type { McpServer } from './address.ts'
import { isConnectionError } from './explain.ts'

/**
 * Returns the protocol versions to try, in order. Over HTTP, the revision of 2026-07-28 is first. A program is started with
 * the handshake of earlier revisions, which nearly all know, and restarted with the new one only if it refuses that.
 */
export const erasOf = ({ kind }: McpServer['address']): [VersionNegotiationMode, VersionNegotiationMode] =>
  kind === 'stdio' ? ['legacy', 'auto'] : ['auto', 'legacy']

/** Returns whether a server failed because of the protocol tried, so that the other one may work. */
export function isOfEra(error: unknown, mode: VersionNegotiationMode): boolean {
  if (mode === 'legacy') return error instanceof ProtocolError
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AppError) return isConnectionError(cause)
  if (!(error instanceof SdkError)) return false
  // A handshake that timed out already used the other protocol.
  if (error.code === SdkErrorCode.RequestTimeout) return error.message.includes('probe')
  return error.code === SdkErrorCode.EraNegotiationFailed
}
