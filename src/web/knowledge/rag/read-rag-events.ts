import { createParser } from 'eventsource-parser'
import { RagEvent } from '#shared/knowledge/rag/rag-events.ts'

/** Reads the stream of an answer to its end; unknown events are ignored. @throws if the connection breaks */
export async function readRagEvents(response: Response, told: (event: RagEvent) => void): Promise<void> {
  const parser = createParser({
    onEvent: ({ event, data }) => {
      const read = RagEvent.safeParse({ ...JSON.parse(data), event })
      if (read.success) told(read.data)
    },
  })
  const decoder = new TextDecoder()
  const stream = response.body?.getReader()
  for (;;) {
    const piece = await stream?.read()
    if (!piece || piece.done) return
    parser.feed(decoder.decode(piece.value, { stream: true }))
  }
}
