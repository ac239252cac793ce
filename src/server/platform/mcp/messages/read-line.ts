import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/client'
import { AppError } from '#shared/platform/errors.ts'
import { readMessages } from './read-messages.ts'

/** Maximum bytes of a line in which messages are looked for among other text. */
const MAX_MIXED_BYTES = 1024 * 1024
const MAX_MESSAGES = 100

/**
 * Returns the messages in a line of a program with their secrets masked. Some programs write text or several messages on one line.
 * @throws AppError for a message that is refused
 */
export async function readLine(line: Buffer, secrets: readonly string[]): Promise<JSONRPCMessage[]> {
  // Parsing in a thread takes the bytes away.
  const copy = line.length <= MAX_MIXED_BYTES ? Buffer.from(line) : null
  const whole = await readMessage(line, secrets)
  if (whole) return [whole]
  const found: JSONRPCMessage[] = []
  for (const piece of copy?.includes('"jsonrpc"') ? messagesIn(copy.toString()) : []) {
    const message = await readMessage(Buffer.from(piece), secrets)
    if (message) found.push(message)
  }
  return found
}

async function readMessage(bytes: Buffer, secrets: readonly string[]): Promise<JSONRPCMessage | null> {
  try {
    const message = await readMessages({ bytes, form: 'json', secrets })
    return parseJSONRPCMessage(JSON.parse(new TextDecoder().decode(message)))
  } catch (error) {
    if (error instanceof AppError) throw error
    return null
  }
}

/** Beginning of a message, whatever field comes first. */
const START = /\{\s{0,20}"(?:jsonrpc|id|method|params|result|error)"/g

/** Returns the objects in a text that begin like messages. One that is not closed ends the search. */
export function messagesIn(text: string): string[] {
  const found: string[] = []
  let from = 0
  while (found.length < MAX_MESSAGES) {
    START.lastIndex = from
    const start = START.exec(text)?.index
    const end = start === undefined ? -1 : endOfObject(text, start)
    if (start === undefined || end < 0) break
    found.push(text.slice(start, end))
    from = end
  }
  return found
}

/** Returns the place after the object that begins here; -1 if it is not closed. */
function endOfObject(text: string, start: number): number {
  let depth = 0
  let isQuoted = false
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at]
    if (isQuoted) {
      if (sign === '\\') at += 1
      else if (sign === '"') isQuoted = false
    } else if (sign === '"') isQuoted = true
    else if (sign === '{') depth += 1
    else if (sign === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return -1
}
