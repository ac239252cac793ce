import type { IncomingMessage } from 'node:http'

/** Posts a notification to the receiver of a test, whose public address is not its real one. Returns the answer; null without a receiver. */
export async function notify(
  origin: string | null,
  address: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: object } = {},
): Promise<{ status: number; text: string; type: string } | null> {
  if (origin === null) return null
  const { pathname, search } = new URL(address)
  const answer = await fetch(`${origin}${pathname}${search}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text(), type: answer.headers.get('content-type') ?? '' }
}

/** Returns the JSON of a request; null without a body. */
export async function jsonOf(request: IncomingMessage): Promise<Record<string, string> | null> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return chunks.length === 0 ? null : JSON.parse(Buffer.concat(chunks).toString())
}
