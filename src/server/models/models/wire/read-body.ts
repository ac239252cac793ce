import { createParser } from 'eventsource-parser'
import { tryJson } from '../../../platform/outbound/foreign/foreign.ts'
import { type GivePart, ModelError, type ModelPart } from '../port.ts'
import { defaultLimits } from './allowance.ts'
import type { WireReader } from './dialect.ts'
import { sentenceFor } from './failures.ts'

/** One event or document may contain an answer this many times: escaped, and again at its end. */
const WRAPPING = 4
/** Characters that it may contain in addition. */
const wrappingCharacters = 1024 * 1024

/** Reads the body of an answer as it arrives: an event stream, or JSON from a server that does not stream. */
export type BodyReader = {
  /** Returns whether the answer is over. @throws ModelError when the provider reports a failure; earlier parts were emitted */
  read: (bytes: Uint8Array) => boolean
  /** @throws ModelError when the answer is incomplete */
  end: () => void
}

export function createBodyReader(
  reader: WireReader,
  give: GivePart,
  { characters } = defaultLimits,
): BodyReader {
  const charactersMax = characters * WRAPPING + wrappingCharacters
  const decoder = new TextDecoder()
  let form: 'unknown' | 'events' | 'json' | 'page' = 'unknown'
  let whole = ''
  let malformed = 0
  let isMarked = false
  let hasGiven = false

  const readData = (data: string) => {
    if (data === '[DONE]') isMarked = true
    const event = parseObject(data)
    if (!event) malformed += data === '[DONE]' || data === '' ? 0 : 1
    else giveAll(reader.read(event))
  }
  const giveAll = (parts: ModelPart[]) => {
    for (const part of parts) give(part)
    hasGiven ||= parts.length > 0
  }
  const parser = createParser({
    onEvent: ({ data }) => readData(data),
    maxBufferSize: charactersMax,
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw noAnswer()
    },
  })

  const feed = (text: string) => {
    if (form === 'events') return parser.feed(text)
    whole += text
    if (whole.length > charactersMax) throw noAnswer()
    form = form === 'unknown' ? formOf(whole) : form
    if (form === 'events') {
      parser.feed(whole)
      whole = ''
    }
  }
  const readWhole = () => {
    const value = parseObject(whole)
    if (!value) throw new ModelError('interrupted', sentenceFor('interrupted'))
    for (const item of Array.isArray(value) ? value : [value]) giveAll(reader.read(item))
  }
  const lastParts = () => {
    try {
      return reader.end(isMarked)
    } catch (error) {
      if (malformed > 0 && !hasGiven) throw noAnswer()
      throw error
    }
  }
  return {
    read: (bytes) => {
      feed(decoder.decode(bytes, { stream: true }))
      return isMarked || reader.isOver?.() === true
    },
    end: () => {
      if (form === 'page') throw noAnswer()
      // The last event may lack its blank line.
      if (form === 'events') parser.feed('\n\n')
      if (form === 'json') readWhole()
      giveAll(lastParts())
    },
  }
}

/** Detects the form by the first character, because servers send wrong content types. The byte order mark is already removed. */
function formOf(text: string) {
  const first = text.trimStart()[0]
  if (first === undefined) return 'unknown'
  if (first === '{' || first === '[') return 'json'
  return first === '<' ? 'page' : 'events'
}

function parseObject(text: string): object | null {
  const value = tryJson(text)
  return typeof value === 'object' ? value : null
}

const noAnswer = () => new ModelError('invalid_answer', sentenceFor('invalid_answer'))
