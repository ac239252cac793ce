import { boundJson } from './bound-stream.ts'

const bounds = { bytes: 512 * 1024, values: 10_000, depth: 50 }

/** Fetches from a service configured by an administrator. Aborts an answer that is not small JSON. */
export async function fetchBounded(address: string | URL, init?: RequestInit): Promise<Response> {
  const answer = await fetch(address, init)
  if (!answer.body) return answer
  const { status, statusText, headers } = answer
  const body = answer.body.pipeThrough(boundJson(bounds, (bytes) => bytes))
  return new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>, { status, statusText, headers })
}
