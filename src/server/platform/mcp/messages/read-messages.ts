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
  return Buffer.from(form === 'json' ? tidy(text) : tidyEvents(text))
}

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

/** Puts the data of each event on one line; other fields are unchanged. */
function tidyEvents(text: string): string {
  const written: string[] = []
  let data: string[] = []
  const end = () => {
    if (data.length > 0) written.push(`data: ${tidy(data.join('\n')).replaceAll('\n', '\ndata: ')}\n`)
    data = []
  }
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  // The text after the last line break begins the next line.
  const rest = lines.pop() ?? ''
  for (const line of lines) {
    if (line === '') {
      end()
      written.push('\n')
    } else if (line === 'data' || line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
    else written.push(`${line}\n`)
  }
  end()
  return written.join('') + rest
}
