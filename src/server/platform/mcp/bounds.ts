/** What a server may take and send; beyond it its connection ends, and nothing else. */
export const bounds = {
  /** Of one message: its bytes, the values of its JSON, and how deep they stand in each other. */
  messageBytes: 8 * 1024 * 1024,
  messageValues: 20_000,
  messageDepth: 64,
  /** Of one answer or stream over HTTP. */
  streamBytes: 64 * 1024 * 1024,
  /** Messages within ten seconds. */
  messages: 5_000,
  /** Of a program and all it starts. */
  memoryBytes: 1024 * 1024 * 1024,
  /** For a program to start. */
  startMs: 60_000,
  /** To connect to an address, and for every request except a call of a tool. */
  answerMs: 20_000,
  /** For a server to say whether it speaks the revision of 2026-07-28. */
  probeMs: 8_000,
  /** For a call of a tool, whose caller cancels it earlier. */
  callMs: 6 * 3_600_000,
  /** A connection that nobody uses is kept so long. */
  idleMs: 60_000,
  /** A server has so long to hear that a call is cancelled. */
  goodbyeMs: 1_000,
  /** Connections of this process at once, and those of them that are programs. */
  connections: 60,
  programs: 20,
  /** Of one server: one that hangs takes the room of no other. */
  perServer: 8,
  /** Pages of one list. */
  pages: 40,
  tools: 200,
  /** Tools that are named as left out. */
  refused: 20,
  /** Characters of the name of a tool, and of an address. */
  name: 100,
  address: 2_000,
  /** Characters of the text of one result; the rest is left out, and the result says so. */
  textCharacters: 1_000_000,
  prompts: 200,
  resources: 2_000,
  /** Characters of a description, and of the JSON of a schema. */
  description: 4_000,
  schema: 60_000,
} as const

/** Counts messages; false from the one on that is too many. */
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
