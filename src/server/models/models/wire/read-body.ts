import { createParser } from 'eventsource-parser'
import { tryJson } from '../../../platform/outbound/foreign/foreign.ts'
import { repairJson, splitJson } from '../adapting/calls/loose-json.ts'
import { type GivePart, ModelError, type ModelPart } from '../port.ts'
import { defaultLimits } from './allowance.ts'
import type { WireReader } from './dialect.ts'
import { failureInStream, sentenceFor } from './failures.ts'

/** One event or document may contain an answer this many times: escaped, and again at its end. */
const WRAPPING = 4
/** Characters that it may contain in addition. */
const wrappingCharacters = 1024 * 1024

/** Reads the body of an answer as it arrives: an event stream, or JSON from a server that does not stream. */
export type BodyReader = {
  /** Returns whether the answer is over. @throws ModelError when the provider reports a failure; earlier parts were emitted */
  read: (bytes: Uint8Array) => boolean
  /** `isDelimited`: the body ended by its own length or last chunk. @throws ModelError when the answer is incomplete */
  end: (isDelimited: boolean) => void
}

/** True when a server marks the end of its answers. A later answer without the mark is incomplete. */
export type EndMarks = { isExpected: () => boolean; note: () => void }

export function createBodyReader(
  reader: WireReader,
  give: GivePart,
  { characters } = defaultLimits,
  marks: EndMarks = { isExpected: () => false, note: () => {} },
): BodyReader {
  const charactersMax = characters * WRAPPING + wrappingCharacters
  const decoder = new TextDecoder()
  let form: 'unknown' | 'lines' | 'events' | 'json' | 'page' = 'unknown'
  let whole = ''
  /** Text before the first event. */
  let unread = ''
  let malformed = 0
  /** Words in place of an event. */
  let words = ''
  let isMarked = false
  let hasGiven = false
  /** The last text that arrived. */
  let last = ''
  let events = 0

  const readEvent = (name: string | undefined, given: string) => {
    unread = ''
    form = 'events'
    // A few proxies write the prefix twice.
    const data = given.replace(/^data: ?/, '').trim()
    if (data === '[DONE]') isMarked = true
    if (data === '' || data === '[DONE]') return
    // Without blank lines between them, all events arrive as one.
    const event = parseObject(data)
    if (event) events += 1
    if (event) for (const one of itemsOf(event)) giveAll(read(named(one, name)))
    else if (name === 'error') throw failureInStream(data)
    else if (data.includes('\n')) for (const line of data.split('\n')) readEvent(name, line)
    else {
      malformed += 1
      words ||= wordsIn(data)
    }
  }
  /** One odd event does not decide for the answer. */
  const read = (event: object): ModelPart[] => {
    try {
      return reader.read(event)
    } catch (error) {
      if (error instanceof ModelError) throw error
      malformed += 1
      return []
    }
  }
  const giveAll = (parts: ModelPart[]) => {
    for (const part of parts) give(part)
    hasGiven ||= parts.length > 0
  }
  const parser = createParser({
    onEvent: ({ event, data }) => readEvent(event, data),
    maxBufferSize: charactersMax,
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw noAnswer()
    },
  })

  const feed = (text: string) => {
    if (form === 'events') return parser.feed(text)
    if (form === 'lines') {
      unread += text
      // Comments only keep a connection alive, perhaps for long.
      if (text.includes('\n')) unread = unread.replaceAll(/^:.*\n+/gm, '')
      if (unread.length > charactersMax) throw noAnswer()
      return parser.feed(text)
    }
    whole += text
    if (whole.length > charactersMax) throw noAnswer()
    form = form === 'unknown' ? formOf(whole) : form
    if (form === 'lines') {
      const first = whole
      unread = first
      whole = ''
      parser.feed(first)
    }
  }
  /** Reads one document, or several in a row. */
  const readWhole = (given: string) => {
    const text = given.replace(END_MARK, '').trim()
    const whole = parseObject(text)
    const documents = whole ? [whole].flat() : splitJson(text).map(parseObject)
    if (documents.length === 0 || documents.includes(null))
      throw new ModelError('interrupted', sentenceFor('interrupted'))
    for (const document of documents) if (document) giveAll(read(document))
    // A whole document cannot be cut.
    isMarked ||= whole !== null || text !== given.trim()
  }
  /** Servers that keep a connection alive with comments may answer with JSON after them. */
  const withoutComments = (text: string) => text.replaceAll(/^:.*$/gm, '').trim()
  const lastParts = (isClosed: boolean) => {
    try {
      const parts = reader.end(isMarked ? 'marked' : 'unknown')
      marks.note()
      return parts
    } catch (error) {
      if (words && !hasGiven) throw failureInStream(words)
      if (malformed > 0 && !hasGiven) throw noAnswer()
      if (!isClosed || malformed > 0 || marks.isExpected()) throw error
      return reader.end('closed')
    }
  }
  /** Reads an event without its blank line at the end. Returns whether the body ends inside of an event. */
  const endsTorn = (): boolean => {
    const rest = last.split(/\r\n\r\n|\n\n|\r\r/).at(-1) ?? ''
    const before = events
    parser.feed('\n\n')
    return events === before && !isMarked && rest.trim() !== '' && !rest.startsWith(':')
  }
  return {
    read: (bytes) => {
      last = decoder.decode(bytes, { stream: true })
      feed(last)
      return isMarked || reader.isOver?.() === true
    },
    end: (isDelimited) => {
      if (form === 'page') throw noAnswer(`it was a web page${titleOf(whole)}`)
      const isTorn = (form === 'lines' || form === 'events') && endsTorn()
      const rest = form === 'lines' ? withoutComments(unread) : ''
      if (/^[{[]/.test(rest)) readWhole(rest)
      else if (events === 0) words ||= wordsIn(rest)
      if (form === 'json') readWhole(whole)
      giveAll(lastParts(isDelimited && !isTorn))
    },
  }
}

/** Detects the form by the first character, because servers send wrong content types. The byte order mark is already removed. */
function formOf(text: string) {
  const first = text.trimStart()[0]
  if (first === undefined) return 'unknown'
  if (first === '{' || first === '[') return 'json'
  return first === '<' ? 'page' : 'lines'
}

/** A few servers send several chunks as the list of one event. */
const itemsOf = (event: object): object[] =>
  Array.isArray(event) ? event.filter((one) => typeof one === 'object' && one !== null) : [event]

/** Some proxies name the type of an event only outside of its data. */
function named(event: object, name: string | undefined): object {
  return name === undefined || name === 'message' || 'type' in event ? event : { ...event, type: name }
}

/** Some servers write constants of Python, or pack their JSON as a text. */
function parseObject(text: string): object | null {
  const value = tryJson(text) ?? repairJson(text)
  if (typeof value === 'string' && value !== text) return parseObject(value)
  return typeof value === 'object' ? value : null
}

/** The mark of the end of an event stream, after documents without events. */
const END_MARK = /(?:^data: ?)?\[DONE\]\s*$/m

/** Returns a sentence in place of an answer. */
const wordsIn = (text: string): string =>
  /^[A-Za-z][^{}<>]{5,500}$/.test(text) && !FIELD.test(text) ? text : ''
/** A field of an event stream. */
const FIELD = /^(?:data|event|id|retry):/

function titleOf(page: string): string {
  const title = /<title>([^<]{1,100})/i.exec(page)?.[1]?.trim()
  return title ? `: ${title}` : ''
}

const noAnswer = (said?: string) => new ModelError('invalid_answer', sentenceFor('invalid_answer', said))
