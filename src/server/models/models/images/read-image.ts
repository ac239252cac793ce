import { Buffer } from 'node:buffer'
import { createParser } from 'eventsource-parser'
import { parseJson, readJson } from '../../../platform/outbound/foreign/foreign.ts'
import { ModelError, type Usage } from '../port.ts'
import { sentenceFor } from '../wire/failures.ts'

/** Maximum bytes of an answer. An image of 1536 × 1024 has about 3 MB as PNG, more in base64 and with its previews. */
const ANSWER_MAX = 48 * 1024 * 1024

/** Returns the error for an answer without an image. */
export const noImage = (why: string) => new ModelError('invalid_answer', sentenceFor('invalid_answer', why))

/** Reads a whole JSON answer. @throws ModelError */
export async function readJsonAnswer(answer: Response): Promise<unknown> {
  const bytes = await readBounded(answer, ANSWER_MAX)
  return readJson(bytes).catch(() => {
    throw noImage('it is not JSON')
  })
}

/** Passes each event of an answer to `hear` as it arrives. @throws ModelError; errors of `hear` */
export async function readEvents(answer: Response, hear: (event: unknown) => void): Promise<void> {
  const decoder = new TextDecoder()
  const parser = createParser({
    maxBufferSize: ANSWER_MAX,
    onEvent: ({ data }) => {
      if (data !== '[DONE]' && data !== '') hear(parse(data))
    },
  })
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > ANSWER_MAX) throw noImage('it is too long')
    parser.feed(decoder.decode(chunk, { stream: true }))
  }
  // The last event may lack its blank line.
  parser.feed('\n\n')
}

/** Returns the bytes of an answer. @throws ModelError when they are more than `most` */
export async function readBounded(answer: Response, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > most) throw noImage('it is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parse(data: string): unknown {
  try {
    return parseJson(data)
  } catch {
    throw noImage('it is not JSON')
  }
}

export const fromBase64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'))

/** Returns the usage of an image as the provider counted it. */
export const countedUsage = (input_tokens: number, output_tokens: number, imagesIn: number): Usage => ({
  ...{ input_tokens, output_tokens, cached_tokens: 0, reasoning_tokens: 0, estimated: false },
  image_tokens: { input: Math.min(imagesIn, input_tokens), output: output_tokens },
})
