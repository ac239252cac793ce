import { createJsonScanner } from '../../outbound/foreign/json-scanner.ts'
import { createMask, isQuickToMask } from '../../outbound/foreign/mask-secrets.ts'
import { createThread } from '../../outbound/foreign/thread.ts'
import { codeUrl } from '../../process/checkout.ts'
import { bounds } from '../bounds.ts'
import { tidyMessage } from './tidy-message.ts'

/** Received messages, as one JSON text or as events, and the secrets to mask in them. */
export type ToRead = { bytes: Uint8Array; form: 'json' | 'events'; secrets: readonly string[] }

/** Minimum size of messages that are parsed in a thread. */
const LARGE_BYTES = 64 * 1024

const thread = createThread<ToRead, Uint8Array>(codeUrl('src/server/platform/mcp/messages/read-thread.ts'))

export const messageBounds = {
  bytes: bounds.messageBytes,
  values: bounds.messageValues,
  depth: bounds.messageDepth,
}

/** Reduces messages to the parts in use and masks secrets. Invalid messages are unchanged. @throws AppError `too_large` */
export async function readMessages(given: ToRead): Promise<Uint8Array> {
  const { bytes, secrets } = given
  const isLarge = bytes.length > LARGE_BYTES || !isQuickToMask(secrets, bytes.length)
  return isLarge ? thread.run(given, [bytes]) : readHere(given)
}

export function readHere({ bytes, form, secrets }: ToRead): Uint8Array {
  const text = createMask(secrets).text(new TextDecoder().decode(bytes))
  return Buffer.from(form === 'json' ? tidyJson(text) : tidyEvents(text))
}

/** Some servers name the content type of JSON and send events. Their messages become a list. */
function tidyJson(text: string): string {
  if (!/^\s*(?:event|data|id|retry)?:/.test(text)) return tidy(text)
  const messages = text
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((event) => tidy(dataOf(event)))
    .filter((message) => message.startsWith('{'))
  return `[${messages.join(',')}]`
}

/** Returns the data of an event, which may have several lines. */
const dataOf = (event: string): string =>
  event
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []))
    .join('\n')
    .trim()

function tidy(text: string): string {
  createJsonScanner(messageBounds).scan(Buffer.from(text))
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return text
  }
  return JSON.stringify(tidyMessage(message))
}

/** Puts the data of each event on one line. The SDK reads messages of unnamed events only. */
function tidyEvents(text: string): string {
  const written: string[] = []
  let data: string[] = []
  let name = ''
  const end = () => {
    const message = data.length > 0 ? tidy(data.join('\n')) : ''
    if (name !== '' && !message.startsWith('{')) written.push(`${name}\n`)
    if (data.length > 0) written.push(`data: ${message.replaceAll('\n', '\ndata: ')}\n`)
    data = []
    name = ''
  }
  // Some servers name the wrong content type.
  if (/^\s*\{/.test(text)) return `data: ${tidy(text.trim()).replaceAll('\n', '\ndata: ')}\n\n`
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    if (line === '') {
      end()
      written.push('\n')
    } else if (line === 'data' || line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
    else if (line.startsWith('event:')) name = line
    else written.push(`${line}\n`)
  }
  // The last event may lack its blank line.
  if (data.length > 0 || name !== '') {
    end()
    written.push('\n')
  }
  return written.join('')
}
