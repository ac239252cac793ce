/** Limits of a server. Exceeding one ends only the connection concerned. */
export const bounds = {
  /** Per message: bytes, JSON values, and nesting depth. */
  messageBytes: 8 * 1024 * 1024,
  messageValues: 20_000,
  messageDepth: 64,
  /** Per answer or stream over HTTP. */
  streamBytes: 64 * 1024 * 1024,
  /** Messages per ten seconds. */
  messages: 5_000,
  /** Memory of a program and its child processes. */
  memoryBytes: 1024 * 1024 * 1024,
  /** Start timeout of a program. */
  startMs: 60_000,
  /** Timeout for connecting to an address, and for requests other than tool calls. */
  answerMs: 20_000,
  /** Timeout for finding out whether a server speaks the revision of 2026-07-28. */
  probeMs: 8_000,
  /** Timeout of a tool call. Its caller cancels it earlier. */
  callMs: 6 * 3_600_000,
  /** Lifetime of an idle connection. */
  idleMs: 60_000,
  /** Time for a server to receive a cancellation. */
  goodbyeMs: 1_000,
  /** Concurrent connections of this process, and how many of them may be programs. */
  connections: 60,
  programs: 20,
  /** Connections per server, so that a hanging one does not exhaust those of others. */
  perServer: 8,
  /** Pages per list. */
  pages: 40,
  tools: 200,
  /** Refused tools listed by name. */
  refused: 20,
  /** Characters of a tool's name, and of an address. */
  name: 100,
  address: 2_000,
  /** Characters of a result's text. A longer one is truncated and says so. */
  textCharacters: 1_000_000,
  prompts: 200,
  resources: 2_000,
  /** Characters of a description, and of a schema as JSON. */
  description: 4_000,
  schema: 60_000,
} as const

/** Returns a message counter, which returns false once there are too many. */
export function createMeter(): () => boolean {
  let since = 0
  let count = 0
  return () => {
    const now = performance.now()
    if (now - since > 10_000) {
      since = now
      count = 0
    }
    count += 1
    return count <= bounds.messages
  }
}
