import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { embed } from '../../src/server/models/models/embeddings/embed.ts'
import type { Recording } from './recordings.ts'

/** Embeds with the product against a recorded answer. Returns the differences from the recorded vectors. */
export async function readEmbedding(folder: string, recording: Recording, base: string): Promise<string[]> {
  const wanted = vectorsOf(JSON.parse(readFileSync(join(folder, recording.file), 'utf8')))
  if (wanted === null) return ['the recorded answer has no vectors']
  const connection = { ...connectionOf(recording, base), provider: 'recorded', api_key: 'recorded' }
  const texts = wanted.map((_, i) => `text ${i}`)
  try {
    const vectors = await embed(connection, 'recorded', texts, AbortSignal.timeout(20_000))
    return JSON.stringify(vectors) === JSON.stringify(wanted) ? [] : ['the vectors differ']
  } catch (error) {
    return [String(error).slice(0, 200)]
  }
}

function connectionOf({ url }: Recording, base: string) {
  if (url?.includes('cohere')) return { kind: 'cohere', base_url: base } as const
  if (url?.includes('/publishers/google/'))
    return { kind: 'google', base_url: `${base}/publishers/google` } as const
  if (url?.includes('googleapis')) return { kind: 'google', base_url: base } as const
  return { kind: 'compatible', base_url: base } as const
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
