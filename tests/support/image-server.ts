import { Buffer } from 'node:buffer'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'

/** The server's reaction to the next request. */
export type ImageMove =
  | { do: 'draw'; previews?: number; revised?: string; until?: Promise<unknown>; bytes?: Uint8Array }
  | { do: 'refuse'; status: number; message: string; retryAfter?: number }
  | { do: 'send'; body: unknown }
  | { do: 'cut' }

export type ImageRequest = { path: string; headers: IncomingMessage['headers']; body: string }

export type ImageServer = {
  /** Base URL of a provider that speaks OpenAI's and Google's API. */
  url: string
  requests: ImageRequest[]
  /** Sets the next reactions; later requests get an image. */
  next: (...moves: ImageMove[]) => void
  close: () => Promise<void>
}

/** Starts a local image provider: OpenAI's `images/*` and Google's `generateContent` and `predict`. */
export async function startImageServer({ models = ['gpt-image-1'] } = {}): Promise<ImageServer> {
  const requests: ImageRequest[] = []
  const moves: ImageMove[] = []
  let drawn = 0
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/'
    if (path.startsWith('/made/')) return void response.end(aPicture(drawn))
    if (request.method === 'GET') return json(response, 200, listOf(path, models))
    const body = await bodyOf(request)
    requests.push({ path, headers: request.headers, body })
    const move = moves.shift() ?? { do: 'draw' }
    if (move.do === 'cut') return void response.destroy()
    if (move.do === 'send') return json(response, 200, move.body)
    if (move.do === 'refuse') {
      if (move.retryAfter !== undefined) response.setHeader('retry-after', String(move.retryAfter))
      return json(response, move.status, { error: { message: move.message } })
    }
    drawn += 1
    const picture = Buffer.from(move.bytes ?? aPicture(drawn)).toString('base64')
    if (path.includes('/models/')) return json(response, 200, asGoogle(path, picture))
    if (!/"stream":true|name="stream"/.test(body)) {
      await move.until
      return json(response, 200, { data: [{ b64_json: picture, revised_prompt: move.revised }] })
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let index = 0; index < (move.previews ?? 0); index += 1)
      event(response, {
        ...{ type: 'image_generation.partial_image', partial_image_index: index },
        b64_json: Buffer.from(aPicture(200 + index)).toString('base64'),
      })
    await move.until
    event(response, {
      ...{ type: 'image_generation.completed', b64_json: picture },
      usage: { input_tokens: 20, output_tokens: 1_000, total_tokens: 1_020 },
    })
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    next: (...more) => void moves.push(...more),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A PNG of 8 × 8 pixels in one shade of grey. */
export function aPicture(shade: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.from([0, 0, 0, 8, 0, 0, 0, 8, 8, 0, 0, 0, 0])
  const row = [0, ...Array.from({ length: 8 }, () => shade % 256)]
  const rows = Buffer.from(Array.from({ length: 8 }, () => row).flat())
  const chunks = [piece('IHDR', header), piece('IDAT', deflateSync(rows)), piece('IEND', Buffer.alloc(0))]
  return new Uint8Array(Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]))
}

function piece(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

function listOf(path: string, models: string[]) {
  if (!path.startsWith('/v1beta')) return { object: 'list', data: models.map((id) => ({ id })) }
  const methods = { supportedGenerationMethods: ['generateContent', 'predict'] }
  return { models: models.map((id) => ({ name: `models/${id}`, ...methods })) }
}

const asGoogle = (path: string, data: string) =>
  path.endsWith(':predict')
    ? { predictions: [{ bytesBase64Encoded: data, mimeType: 'image/png', prompt: 'as Imagen reads it' }] }
    : {
        candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data } }] } }],
        usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 1_290 },
      }

const event = (response: ServerResponse, value: { type: string; [field: string]: unknown }) =>
  response.write(`event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`)

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('latin1')
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
