import { LARGE_BYTES } from './foreign.ts'
import { createMask } from './mask-secrets.ts'
import { createThread } from './thread.ts'

export type ToMask = { bytes: Uint8Array; secrets: readonly string[] }

const thread = createThread<ToMask, Uint8Array>(new URL('./mask-thread.ts', import.meta.url))

/** A text in UTF-8 without secrets. A large one is masked in a thread. */
export async function maskBytes(given: ToMask): Promise<Uint8Array> {
  if (given.secrets.length === 0) return given.bytes
  return given.bytes.length > LARGE_BYTES ? thread.run(given) : maskHere(given)
}

export function maskHere({ bytes, secrets }: ToMask): Uint8Array {
  return Buffer.from(createMask(secrets).text(new TextDecoder().decode(bytes)))
}
