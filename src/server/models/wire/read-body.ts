import { createParser } from 'eventsource-parser'
import { ModelError, type ModelPart } from '../port.ts'
import type { WireReader } from './dialect.ts'
import { sentenceFor } from './failures.ts'

/** More than this without an end of line or of the document is no answer. */
const charactersMax = 32 * 1024 * 1024

/**
 * Reads the body of an answer as it comes: an event stream, or JSON from a server that does not stream.
 * @throws ModelError, and whatever breaks the body
 */
export async function* readBody(
  body: AsyncIterable<Uint8Array>,
  reader: WireReader,
  stamp: () => void,
): AsyncGenerator<ModelPart> {
  const decoder = new TextDecoder()
  const feeder = createFeeder(reader)
  for await (const bytes of body) {
    stamp()
    const text = decoder.decode(bytes, { stream: true })
    let failure: unknown
    try {
      feeder.feed(text)
    } catch (error) {
      failure = error ?? new Error('unknown')
    }
    for (const part of feeder.take()) yield part
    // What came before a failure in the same packet is given first.
    if (failure !== undefined) throw failure
  }
  for (const part of feeder.end()) yield part
}

function createFeeder(reader: WireReader) {
  let parts: ModelPart[] = []
  let form: 'unknown' | 'events' | 'json' | 'page' = 'unknown'
  let whole = ''
  let malformed = 0
  let isMarked = false
  let hasGiven = false

  const readData = (data: string) => {
    if (data === '[DONE]') isMarked = true
    const event = parseObject(data)
    if (!event) malformed += data === '[DONE]' || data === '' ? 0 : 1
    else parts.push(...reader.read(event))
  }
  const parser = createParser({ onEvent: ({ data }) => readData(data), maxBufferSize: charactersMax })

  const take = () => {
    if (parts.length === 0) return parts
    const ready = parts
    parts = []
    hasGiven = true
    return ready
  }
  return {
    take,
    feed(text: string) {
      if (form === 'events') return parser.feed(text)
      whole += text
      if (whole.length > charactersMax) throw noAnswer()
      form = form === 'unknown' ? formOf(whole) : form
      if (form === 'events') {
        parser.feed(whole)
        whole = ''
      }
    },
    end(): ModelPart[] {
      if (form === 'page') throw noAnswer()
      // The last event may lack its blank line.
      if (form === 'events') parser.feed('\n\n')
      if (form === 'json') {
        const value = parseObject(whole)
        if (!value) throw new ModelError('interrupted', sentenceFor('interrupted'))
        for (const item of Array.isArray(value) ? value : [value]) parts.push(...reader.read(item))
      }
      try {
        parts.push(...reader.end(isMarked))
      } catch (error) {
        if (malformed > 0 && !hasGiven && parts.length === 0) throw noAnswer()
        throw error
      }
      return take()
    },
  }
}

/** By the first character, since servers name the wrong content type; a mark of byte order is already gone. */
function formOf(text: string) {
  const first = text.trimStart()[0]
  if (first === undefined) return 'unknown'
  if (first === '{' || first === '[') return 'json'
  return first === '<' ? 'page' : 'events'
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

const noAnswer = () => new ModelError('invalid_answer', sentenceFor('invalid_answer'))
