import { Buffer } from 'node:buffer'
import { createParser } from 'eventsource-parser'
import { parseJson, readJson } from '../../../platform/outbound/foreign/foreign.ts'
import { ModelError, type Usage } from '../port.ts'
import { sentenceFor } from '../wire/failures.ts'

/** An image of 1536 × 1024 has about 3 MB as PNG; in base64, and with what goes before it, up to this many bytes. */
const ANSWER_MAX = 48 * 1024 * 1024

/** The error for an answer without an image. */
export const noImage = (why: string) => new ModelError('invalid_answer', sentenceFor('invalid_answer', why))

/** An answer of JSON, whole. @throws ModelError */
export async function readJsonAnswer(answer: Response): Promise<unknown> {
  const bytes = await readBounded(answer, ANSWER_MAX)
  return readJson(bytes).catch(() => {
    throw noImage('it is no JSON')
  })
}

/** The events of an answer as they come. @throws ModelError, what `hear` throws */
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

/** The bytes of an answer. @throws ModelError when they are more */
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
    throw noImage('it is no JSON')
  }
}

export const fromBase64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'))

/** Tokens of an image as the provider counted them. */
export const countedUsage = (input_tokens: number, output_tokens: number, imagesIn: number): Usage => ({
  ...{ input_tokens, output_tokens, cached_tokens: 0, reasoning_tokens: 0, estimated: false },
  image_tokens: { input: Math.min(imagesIn, input_tokens), output: output_tokens },
})
