import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { spread } from '../src/server/knowledge/search/fuse.ts'
import { readKeywords } from '../src/server/knowledge/search/keywords.ts'
import { builtInRerankers, type Reranker } from '../src/server/knowledge/search/rerank/rerank.ts'
import { type Found, retrieve, type SearchType } from '../src/server/knowledge/search/retrieve.ts'
import {
  type BuiltInEmbedding,
  createBuiltInEmbeddings,
} from '../src/server/models/models/built-in-embedding/built-in-embedding.ts'
import { createLog } from '../src/server/platform/log.ts'
import {
  type IndexLanguage,
  openVectors,
  type Row,
  type TableSpec,
  type VectorTable,
} from '../src/server/platform/vectors/vectors.ts'

type Text = { id: string; title?: string; text: string }

const spec: TableSpec = {
  targets: [{ name: 'default', dimensions: 384, metric: 'cosine', isMulti: false }],
  index: 'hnsw',
}
const never = new AbortController().signal
const DEPTH = 100

/**
 * Searches a judged collection (`docs.jsonl`, `queries.jsonl`) like the product searches a library, and writes the results
 * as a TREC run. With `--vectors`, the vectors of its texts are cached in that file.
 *
 * npm run bench -- retrieval <folder> --type keyword|vector|hybrid --out <file> [--reranker NAME] [--alpha 0.5] [--language
 * en|fr]
 */
export async function run(args: string[]): Promise<object> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      type: { type: 'string', default: 'hybrid' },
      reranker: { type: 'string' },
      alpha: { type: 'string', default: '0.5' },
      language: { type: 'string', default: 'en' },
      out: { type: 'string' },
      vectors: { type: 'string' },
    },
  })
  const [collection] = positionals
  if (!collection || !values.out) throw new Error('Give the folder of a collection, and --out FILE.')
  const docs = readLines(join(collection, 'docs.jsonl'))
  const queries = readLines(join(collection, 'queries.jsonl'))
  const folder = mkdtempSync(join(tmpdir(), 'atrium-retrieval-'))
  const embeddings = createBuiltInEmbeddings({ folder, log: createLog('silent') })
  const tables = openVectors({ location: join(folder, 'vectors') })
  try {
    const model = await embeddings.best()
    const began = performance.now()
    const vectors = values.type === 'keyword' ? [] : await vectorsOf(model, docs, values.vectors)
    const embedding_s = (performance.now() - began) / 1000
    await tables.create('c', spec)
    const table = tables.table('c', spec)
    await store(table, docs, vectors, values.language as IndexLanguage)
    await tables.tend('c', spec, { isQuiet: true })
    const reranker = builtInRerankers(embeddings).find(({ name }) => name === values.reranker) ?? null
    if (values.reranker && !reranker) throw new Error(`There is no reranker ${values.reranker}.`)
    const times: number[] = []
    const lines: string[] = []
    for (const { id, text } of queries) {
      const start = performance.now()
      const found = await search(table, model, text, { ...values, reranker })
      times.push(performance.now() - start)
      lines.push(...found.map(({ id: doc, score }, at) => `${id} Q0 ${doc} ${at + 1} ${score} atrium`))
    }
    writeFileSync(values.out, `${lines.join('\n')}\n`)
    times.sort((a, b) => a - b)
    return {
      ...{ type: values.type, reranker: values.reranker ?? null, model: model.id, docs: docs.length },
      ...{ queries: queries.length, embedding_s, p50_ms: times[times.length >> 1] },
    }
  } finally {
    embeddings.close()
    tables.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Options = { type: string; alpha: string; reranker: Reranker | null }

async function search(
  table: VectorTable,
  model: BuiltInEmbedding,
  query: string,
  { type, alpha, reranker }: Options,
): Promise<Pick<Found, 'id' | 'score'>[]> {
  const found = await retrieve(table, async () => model.embed([query], never), {
    ...{ type: type as SearchType, query, words: { ...readKeywords(query) }, targets: spec.targets },
    ...{ join: 'minimum', alpha: Number(alpha), filter: { and: [] }, limit: DEPTH },
  })
  if (!reranker) return found
  const rows = await table.read({
    filter: { column: 'id', in: found.map(({ id }) => id) },
    limit: DEPTH,
    withVectors: true,
  })
  const candidates = found
    .map(({ id }) => rows.find((row) => row.id === id))
    .filter((row) => row !== undefined)
  const [vector = null] = await model.embed([query], never)
  const shares = spread(found)
  const rates = await reranker.rate(
    { text: query, vector },
    candidates.map(({ vectors: { default: own }, ...row }) => ({
      ...row,
      vector: (own as number[]) ?? null,
      score: shares.get(row.id) ?? 0,
    })),
    never,
  )
  return candidates.map(({ id }, at) => ({ id, score: rates[at] ?? 0 })).sort((a, b) => b.score - a.score)
}

async function vectorsOf(model: BuiltInEmbedding, docs: Text[], kept: string | undefined) {
  if (kept && existsSync(kept)) {
    const all = new Float32Array(new Uint8Array(readFileSync(kept)).buffer)
    return docs.map((_, at) => all.subarray(at * 384, (at + 1) * 384))
  }
  const vectors: Float32Array[] = []
  for (let at = 0; at < docs.length; at += 64) {
    const texts = docs.slice(at, at + 64).map(({ title, text }) => [title, text].filter(Boolean).join('\n'))
    vectors.push(...(await model.embed(texts, never)))
  }
  if (kept)
    writeFileSync(
      kept,
      Buffer.concat(vectors.map((one) => Buffer.from(one.buffer, one.byteOffset, one.byteLength))),
    )
  return vectors
}

async function store(table: VectorTable, docs: Text[], vectors: Float32Array[], language: IndexLanguage) {
  const rows = docs.map(({ id, title = '', text }, position): Row => {
    const vector = vectors[position]
    return {
      ...{ id, reading_id: id, document_id: id, user_id: 'u', company_id: null, shared_access: [] },
      ...{ chunk_type: 'paragraph', file_name: title, file_type: 'txt', page: null, position, created_at: 0 },
      ...{ language, title, text, metadata: {}, vectors: vector ? { default: vector } : {} },
    }
  })
  for (let at = 0; at < rows.length; at += 1000) await table.put(rows.slice(at, at + 1000))
}

const readLines = (file: string): Text[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
