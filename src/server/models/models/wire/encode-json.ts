import { setImmediate as nextTurn } from 'node:timers/promises'

/** So many characters are written in one turn of the event loop, unless a single message has more. */
const TURN_CHARACTERS = 256 * 1024

/**
 * JSON of a request as UTF-8, in pieces: a chat of many megabytes is never one string, and others come in between.
 * Long are only the lists of a request; what a list holds is written whole.
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
