import { readAtMost } from '../../../platform/outbound/outbound.ts'
import { ModelError } from '../../models/port.ts'
import { sentenceFor } from '../../models/wire/failures.ts'

/** The largest frame of an event stream. AWS allows 24 MB; frames of a model are a few hundred bytes long. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024
/** Bytes of an error response that are read. */
const MAX_REFUSAL_BYTES = 64 * 1024

/** Fetches like `fetch`, aborts an AWS event stream at a frame that is too large, and truncates error responses. */
export async function fetchFrames(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const answer = await fetch(input, init)
  if (!answer.body) return answer
  if (answer.ok) return new Response(answer.body.pipeThrough(checkFrames()), answer)
  return new Response(
    await readAtMost({ headers: new Headers(), body: answer.body }, MAX_REFUSAL_BYTES),
    answer,
  )
}

/** Passes bytes through while every frame has an acceptable length: its first four bytes, big-endian. */
function checkFrames() {
  let left = 0
  let length = 0
  let digits = 0
  return new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      for (let at = 0; at < chunk.length; ) {
        if (left > 0) {
          const step = Math.min(left, chunk.length - at)
          left -= step
          at += step
          continue
        }
        length = length * 256 + (chunk[at] ?? 0)
        at += 1
        digits += 1
        if (digits < 4) continue
        if (length > MAX_FRAME_BYTES || length < 16)
          throw new ModelError('invalid_answer', sentenceFor('invalid_answer', 'a frame has a wrong length'))
        left = length - 4
        length = 0
        digits = 0
      }
      controller.enqueue(chunk)
    },
    flush: () => {
      if (left > 0 || digits > 0) throw new ModelError('interrupted', sentenceFor('interrupted'))
    },
  })
}
