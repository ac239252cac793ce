import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { AppError } from '#shared/platform/errors.ts'
import { assertFewTags } from '../../platform/outbound/foreign/xml-bounds.ts'
import { ItemRefused, SignedOut, SourceBusy } from './define-connector.ts'
import { giveTurns } from './give-turns.ts'

/** Default and maximum wait after a refusal, in seconds. */
const [DEFAULT_WAIT_SECONDS, MAX_WAIT_SECONDS] = [60, 24 * 3600]
/** Characters parsed in one step. */
const PARSED_CHARACTERS = 32_768
const XML_BOUNDS = { characters: 50_000_000, tags: 3_000_000, depth: 40, attributes: 50 }

/** Reports a status that is no success. @throws SignedOut, ItemRefused, SourceBusy, AppError `unavailable` */
export function assertAnswered(
  host: string,
  { status, headers }: { status: number; headers: Headers },
): void {
  if (status >= 200 && status < 300) return
  if (status === 401) throw new SignedOut(`${host} refuses the sign-in.`)
  if (status === 403) throw new ItemRefused('refused', `${host} refuses it (403).`)
  if (status === 404 || status === 410)
    throw new ItemRefused('not_found', `${host} does not have it (${status}).`)
  const wait = headers.get('retry-after')
  if (status === 429 || (status === 503 && wait !== null)) throw new SourceBusy(secondsOf(wait))
  if (status < 500) throw new ItemRefused('refused', `${host} answers with the status ${status}.`)
  throw new AppError('unavailable', `${host} answers with the status ${status}.`)
}

/** Dates of HTTP begin with the day of the week. The parser also reads many texts that are no dates. */
const HTTP_DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? /i

/** Reads a Retry-After header, which has seconds or a date; 60 seconds without one and for anything else. */
export function secondsOf(wait: string | null): number {
  const text = wait?.trim() ?? ''
  const isDate = HTTP_DATE.test(text)
  const date = isDate ? (Date.parse(text) - Date.now()) / 1000 : Number.NaN
  const given = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : date
  if (Number.isNaN(given)) return DEFAULT_WAIT_SECONDS
  return Math.min(Math.max(Math.ceil(given), 1), MAX_WAIT_SECONDS)
}

/** Returns the body of an answer as a stream. It fails with AppError `unavailable` when the host breaks it off. */
export function bodyOf(answer: Response, host: string): Readable {
  if (!answer.body) return Readable.from([])
  const reader = answer.body.getReader()
  const described = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(describeBreak(error, host))
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return Readable.fromWeb(described)
}

/** Limits and aborts are reported as they are. */
function describeBreak(error: unknown, host: string): unknown {
  if (error instanceof AppError || error instanceof DOMException) return error
  return new AppError('unavailable', `${host} broke off its answer.`, { cause: error })
}

/** An element of XML, without its attributes. */
export type Element = { name: string; children: Element[]; text: string }

/** Parses bounded XML into elements with local names. It yields to the event loop meanwhile. @throws AppError `unavailable` for XML that is damaged or too large */
export async function parseElements(xml: string, host: string): Promise<Element> {
  const root: Element = { name: '', children: [], text: '' }
  const open = [root]
  try {
    assertFewTags(xml, XML_BOUNDS)
    const parser = new SaxesParser({ xmlns: true })
    parser.on('opentag', ({ local }: SaxesTagNS) => {
      const element = { name: local, children: [], text: '' }
      open.at(-1)?.children.push(element)
      open.push(element)
    })
    parser.on('text', (text) => {
      const element = open.at(-1)
      if (element) element.text += text
    })
    parser.on('cdata', (text) => {
      const element = open.at(-1)
      if (element) element.text += text
    })
    parser.on('closetag', () => void open.pop())
    parser.on('error', (error) => {
      throw error
    })
    const turn = giveTurns()
    for (let at = 0; at < xml.length; at += PARSED_CHARACTERS) {
      parser.write(xml.slice(at, at + PARSED_CHARACTERS))
      await turn()
    }
    parser.close()
  } catch (error) {
    throw new AppError('unavailable', `${host} sent a list that cannot be read.`, { cause: error })
  }
  return root
}

/** Returns all elements of a name below an element, in order. */
export function elementsOf({ children }: Element, name: string): Element[] {
  return children.flatMap((child) => (child.name === name ? [child] : elementsOf(child, name)))
}

/** Returns the trimmed text of the first element of a name; empty without one. */
export const textOf = (element: Element, name: string): string =>
  elementsOf(element, name)[0]?.text.trim() ?? ''
