import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export type Expected = {
  text: string
  reasoning?: string
  tool_calls: { id?: string; name: string | null; arguments: unknown; server?: boolean }[]
  finish?: string[]
  usage?: RawUsage | null
  error?: unknown
}

/** Token counts under the provider's names. */
export type RawUsage = Record<string, unknown> & { iterations?: Record<string, number>[] }

/** A recorded answer of a real provider. `expect` is its expected content. */
export type Recording = {
  id: string
  dialect:
    | 'openai-chat'
    | 'openai-responses'
    | 'anthropic-messages'
    | 'google-generate'
    | 'cohere-chat'
    | 'embeddings'
  file: string
  request?: string
  url: string | null
  status: number
  content_type?: string
  stream: boolean
  tags: string[]
  headers?: Record<string, string>
  expect?: Expected
}

/** Reads `manifest.jsonl` of a folder of recordings. */
export function readRecordings(folder: string): Recording[] {
  return readFileSync(join(folder, 'manifest.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Recording)
}

/** Serves every recording under `/r/<id>/…`, byte for byte. */
export async function serveRecordings(folder: string, recordings: Recording[]) {
  const byId = new Map(recordings.map((recording) => [recording.id, recording]))
  const server = createServer((request, response) => {
    request.resume()
    const id = decodeURIComponent(request.url?.split('/')[2] ?? '')
    const recording = byId.get(id)
    if (!recording) return response.writeHead(404).end()
    response.writeHead(recording.status, { 'content-type': recording.content_type ?? 'application/json' })
    response.end(readFileSync(join(folder, recording.file)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: (recording: Recording) => `http://127.0.0.1:${port}/r/${encodeURIComponent(recording.id)}`,
    close: () => server.close(),
  }
}
