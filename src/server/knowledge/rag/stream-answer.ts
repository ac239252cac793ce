import type { RagAnswer } from '#shared/knowledge/rag/rag.ts'
import type { RagEvent } from '#shared/knowledge/rag/rag-events.ts'
import { toAppError } from '../../platform/http/answer-errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { formatWire } from '../../runs/events/events.ts'
import type { Reader } from '../../runs/streams/streams.ts'

/** Streams an answer with its stages. @throws errors before the first event; later errors are sent in the stream */
export async function streamAnswer(
  open: () => Reader,
  log: Pick<Platform['log'], 'error'>,
  answer: (told: (event: RagEvent) => void) => Promise<RagAnswer>,
): Promise<void> {
  const stream: { reader?: Reader } = {}
  const tell = ({ event, ...data }: RagEvent) => {
    stream.reader ??= open()
    stream.reader.write(formatWire(event, null, JSON.stringify(data)))
  }
  try {
    tell({ event: 'rag_answered', answer: await answer(tell) })
  } catch (error) {
    if (!stream.reader) throw error
    const { code, detail, status } = toAppError(error)
    if (status >= 500) log.error({ error }, detail)
    tell({ event: 'rag_failed', code, detail })
  }
  stream.reader?.close()
}
