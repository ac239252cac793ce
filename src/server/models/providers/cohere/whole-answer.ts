import { parseJson } from '../../../platform/outbound/foreign/foreign.ts'
import { readAtMost } from '../../../platform/outbound/outbound.ts'

/** Bytes of an answer that does not stream. */
const DOCUMENT_MAX = 4 * 1024 * 1024

/** A Cohere response that is not streamed; https://docs.cohere.com/reference/chat */
type Whole = {
  id?: string
  message?: {
    content?: { type: string; text?: string; thinking?: string }[] | null
    tool_calls?: { id: string; function: { name: string; arguments: string } }[] | null
  }
  finish_reason?: string
  usage?: object
}

/** Fetches like `fetch`; one JSON document, where an event stream was asked for, comes as the events it stands for. */
export async function fetchEvents(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const answer = await fetch(input, init)
  if (!answer.ok || !answer.body) return answer
  const reader = answer.body.getReader()
  const opening = await readOpening(reader)
  const body = continued(opening.chunks, reader)
  if (!opening.isDocument) return new Response(body, answer)
  const bytes = await readAtMost({ headers: new Headers(), body }, DOCUMENT_MAX)
  return new Response(writeEvents(new TextDecoder().decode(bytes)), answer)
}

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>

/** Reads up to the first character, which tells: servers name the wrong content type. */
async function readOpening(reader: Reader) {
  const decoder = new TextDecoder()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { chunks, isDocument: false }
    chunks.push(value)
    const text = decoder.decode(value, { stream: true }).trimStart()
    if (text) return { chunks, isDocument: text.startsWith('{') }
  }
}

/** A body from its beginning, after that was read. */
function continued(chunks: Uint8Array<ArrayBuffer>[], reader: Reader) {
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk)
    },
    pull: async (controller) => {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** A document that was cut is left as it is: it holds no event, which is how an answer that broke off reads. */
function writeEvents(document: string): string {
  try {
    return eventsOf(parseJson(document) as Whole)
      .map((event) => `data: ${JSON.stringify(event)}\n\n`)
      .join('')
  } catch {
    return document
  }
}

function eventsOf({ id, message, finish_reason, usage }: Whole): object[] {
  const said = (message?.content ?? []).flatMap(({ type, text = '', thinking = '' }, index) => {
    const opening = type === 'thinking' ? { type, thinking: '' } : { type: 'text', text: '' }
    return [
      { type: 'content-start', index, delta: { message: { content: opening } } },
      {
        type: 'content-delta',
        index,
        delta: { message: { content: type === 'thinking' ? { thinking } : { text } } },
      },
      { type: 'content-end', index },
    ]
  })
  const called = (message?.tool_calls ?? []).flatMap((call) => [
    { type: 'tool-call-start', delta: { message: { tool_calls: { ...call, type: 'function' } } } },
    { type: 'tool-call-end' },
  ])
  const ended = finish_reason ? [{ type: 'message-end', delta: { finish_reason, usage } }] : []
  return [{ type: 'message-start', id }, ...said, ...called, ...ended]
}
