import { Agent, request } from 'undici'
import type { FuzzedRequest } from './requests.ts'

export type Answered = { status: number; type: string; text: string }

const agent = new Agent({ connections: 64, headersTimeout: 30_000, bodyTimeout: 30_000 })

/** Sends one request. An event stream is read for this many milliseconds. */
export async function send(
  url: string,
  asked: FuzzedRequest,
  token: string | null,
  streamMs = 0,
): Promise<Answered> {
  const { method, path, body, headers } = asked
  const answer = await request(url + (path.startsWith('/v1/') ? '' : '/api/v1') + path, {
    ...{ method: method as 'GET', dispatcher: agent, body: body ?? null },
    headers: { ...headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
  })
  const type = String(answer.headers['content-type'] ?? '')
  if (!type.startsWith('text/event-stream'))
    return { status: answer.statusCode, type, text: await answer.body.text() }
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => answer.body.destroy(), streamMs)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    answer.body.on('error', end).on('close', end).resume()
  })
  return { status: answer.statusCode, type, text: '' }
}
