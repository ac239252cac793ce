import type { RunEvent } from '#shared/runs/runs/events.ts'
import { isChunkName } from '#shared/runs/runs/split.ts'
import { attachTask, type Reader, type Streams } from '../../runs/streams/streams.ts'

/**
 * Follows a run on any process like a stream reader: first the snapshot (`task_stream_init`), then live events.
 * Resolves when the run is at rest or `leave` is aborted.
 */
export async function followRun(
  streams: Streams,
  { sessionId, messageId }: { sessionId: string; messageId: string },
  hear: (event: RunEvent) => void,
  leave: AbortSignal,
): Promise<void> {
  if (leave.aborted) return
  const over = new AbortController()
  const ended = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()))
  leave.addEventListener('abort', () => over.abort(), { once: true })
  const take = createReading(hear)
  let written = 0
  const reader: Reader = {
    get written() {
      return written
    },
    write: (text) => {
      written += text.length
      take(text)
    },
    writePieces: ({ pieces, bytes }) => {
      written += bytes
      for (const piece of pieces) take(piece)
    },
    close: () => over.abort(),
    closed: over.signal,
  }
  await attachTask(streams, sessionId, reader, { after: null, chunks: false, messageId })
  await ended
}

/** Creates a parser for the output of `formatWire`; large events arrive in pieces. */
function createReading(hear: (event: RunEvent) => void): (text: string) => void {
  let pieces = ''
  return (text) => {
    for (const block of text.split('\n\n')) {
      const lines = block.split('\n')
      const name = lines.find((line) => line.startsWith('event: '))?.slice(7)
      const data = lines.find((line) => line.startsWith('data: '))?.slice(6)
      if (!name || !data) continue
      if (!isChunkName(name)) hear({ event: name, ...JSON.parse(data) } as RunEvent)
      else {
        const chunk = JSON.parse(data)
        pieces += chunk.data
        if (chunk.chunk_index < chunk.total_chunks - 1) continue
        hear({ event: chunk.original_event_type, ...JSON.parse(pieces) } as RunEvent)
        pieces = ''
      }
    }
  }
}
