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
 * How to find out which protocol a server speaks, in order. Over HTTP the revision of 2026-07-28 is tried first. A program is started
 * for the handshake of earlier revisions, as nearly all know it, and started again only when it refuses that.
 */
export const erasOf = ({ kind }: McpServer['address']): [VersionNegotiationMode, VersionNegotiationMode] =>
  kind === 'stdio' ? ['legacy', 'auto'] : ['auto', 'legacy']

/** Whether a server failed because of the protocol that was tried, so that the other one may work. */
export function isOfEra(error: unknown, mode: VersionNegotiationMode): boolean {
  if (mode === 'legacy') return error instanceof ProtocolError
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AppError) return isConnectionError(cause)
  if (!(error instanceof SdkError)) return false
  // A handshake that timed out was the other era already.
  if (error.code === SdkErrorCode.RequestTimeout) return error.message.includes('probe')
  return error.code === SdkErrorCode.EraNegotiationFailed
}
