import { createHash } from 'node:crypto'

/** Returns the id of a tool call, a UUID version 8. It is equal in every attempt, so it can be an idempotency key. */
export function executionId(runId: string, callId: string): string {
  const bytes = createHash('sha256').update(`${runId}\n${callId}`).digest()
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}
