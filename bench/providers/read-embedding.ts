import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createCohere } from '@ai-sdk/cohere'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import type { Recording } from './recordings.ts'

/** Embeds through the AI SDK against a recorded answer; says what differs from the recorded vectors. */
export async function readEmbedding(folder: string, recording: Recording): Promise<string[]> {
  const recorded = readFileSync(join(folder, recording.file), 'utf8')
  const wanted = vectorsOf(JSON.parse(recorded))
  if (wanted === null) return ['the recorded answer has no vectors']
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(recording.status, { 'content-type': 'application/json' }).end(recorded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const values = wanted.map((_, i) => `value ${i}`)
    // One value would be asked for at another address by some providers; two of the same kind never are.
    const { embeddings } = await modelFor(recording, baseURL).doEmbed({
      values: values.length === 1 ? [...values, 'padding'] : values,
    })
    return JSON.stringify(embeddings) === JSON.stringify(wanted)
      ? []
      : [`${embeddings.length} vectors instead of ${wanted.length}`]
  } catch (error) {
    return [String(error).slice(0, 200)]
  } finally {
    server.close()
  }
}

function modelFor({ url }: Recording, baseURL: string): EmbeddingModelV4 {
  const options = { baseURL, apiKey: 'recorded' }
  if (url?.includes('cohere')) return createCohere(options).embedding('recorded')
  if (url?.includes('googleapis')) return createGoogleGenerativeAI(options).embedding('recorded')
  return createOpenAI(options).embedding('recorded')
}

type Answers = {
  data?: { embedding: number[] }[]
  embeddings?: { values?: number[] }[] | { float?: number[][] }
  predictions?: { embeddings: { values: number[] } }[]
}

function vectorsOf({ data, embeddings, predictions }: Answers): number[][] | null {
  if (data) return data.map((item) => item.embedding)
  if (Array.isArray(embeddings)) return embeddings.map((item) => item.values ?? [])
  if (embeddings?.float) return embeddings.float
  return predictions?.map((item) => item.embeddings.values) ?? null
}
