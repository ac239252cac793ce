import { setImmediate as nextTurn } from 'node:timers/promises'

/** Characters written per turn of the event loop, unless a single message has more. */
const TURN_CHARACTERS = 256 * 1024

/**
 * Encodes a request as JSON in UTF-8, in pieces, so that a chat of many megabytes is never one string and does not block the event
 * loop. Only the lists of a request are split, between their items.
 */
export async function encodeJson(body: object): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  let text = ''
  for (const part of partsOf(body)) {
    text += part
    if (text.length < TURN_CHARACTERS) continue
    pieces.push(Buffer.from(text))
    text = ''
    await nextTurn()
  }
  pieces.push(Buffer.from(text))
  return pieces
}

function* partsOf(body: object): Generator<string> {
  let before = '{'
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    before = ','
    if (Array.isArray(value)) yield* partsOfList(value)
    else yield JSON.stringify(value)
  }
  yield before === '{' ? '{}' : '}'
}

function* partsOfList(list: unknown[]): Generator<string> {
  yield '['
  for (const [n, one] of list.entries()) yield (n === 0 ? '' : ',') + (JSON.stringify(one) ?? 'null')
  yield ']'
}
