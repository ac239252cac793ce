import { createHash } from 'node:crypto'
import { mkdir, open, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SuggestedModel } from '#shared/knowledge/installed-models/suggested-models.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { ModelSource } from './model-source.ts'

/** Paths at which publishers store the model itself. */
const models = ['model.onnx', 'onnx/model.onnx']
const needed = ['tokenizer.json']
const alsoNeeded = { embedding: ['config.json'], reranker: [] }
const welcome = [
  'config.json',
  'tokenizer_config.json',
  '1_Pooling/config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
]
/** Limit of every file but the model; a multilingual vocabulary has 20 MB. */
const SETTINGS_BYTES = 64 * 1024 * 1024

type Terms = {
  kind: 'embedding' | 'reranker'
  /** SHA-256 checksums by file name, at least that of the model. */
  sums: ReadonlyMap<string, string>
  maxBytes: number
  signal: AbortSignal
  /** Names the path of the model, and supplies the files that its repository lacks. */
  suggested: SuggestedModel | null
  /** Receives the bytes of the model so far and the total; null if it is unknown. */
  onBytes: (bytes: number, of: number | null) => Promise<void>
}

/**
 * Downloads the files of a model into an empty folder and writes their checksums next to them. Small files come first, so that a wrong
 * repository is noticed before the large download. @throws AppError; the reason of `signal`
 */
export async function fetchFiles(source: ModelSource, folder: string, terms: Terms): Promise<void> {
  const sums = new Map<string, string>()
  const bring = async (path: string, name: string, maxBytes: number, onBytes?: Terms['onBytes']) => {
    const opened = await source.open(path, maxBytes, terms.signal)
    if (!opened) return false
    const sum = await store(opened, join(folder, name), { name, maxBytes, signal: terms.signal, onBytes })
    assertSum(name, sum, terms.sums)
    sums.set(name, sum)
    return true
  }
  const must = [...needed, ...alsoNeeded[terms.kind]]
  for (const name of new Set([...must, ...welcome])) {
    const isThere = await bring(name, name, SETTINGS_BYTES)
    if (!isThere && must.includes(name)) throw missing(name, source)
  }
  for (const path of terms.suggested ? [terms.suggested.file] : models)
    if (!sums.has('model.onnx')) await bring(path, 'model.onnx', terms.maxBytes, terms.onBytes)
  if (!sums.has('model.onnx')) throw missing('model.onnx', source)
  for (const [name, settings] of Object.entries(terms.suggested?.settings ?? {})) {
    const text = JSON.stringify(settings)
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
    sums.set(name, createHash('sha256').update(text).digest('hex'))
  }
  const lines = [...sums].map(([name, sum]) => `${sum}  ${name}\n`)
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''))
}

const missing = (name: string, { place }: ModelSource) =>
  new AppError('invalid', `There is no ${name} in ${place}: give the address of the model files.`)

function assertSum(name: string, sum: string, stated: ReadonlyMap<string, string>): void {
  const wanted = stated.get(name)
  if (wanted === undefined || wanted === sum) return
  throw new AppError(
    'invalid',
    `${name} is not what was stated: its SHA-256 is ${sum}. Compare it with what the publisher says.`,
  )
}

type Opened = NonNullable<Awaited<ReturnType<ModelSource['open']>>>
type Storing = { name: string; maxBytes: number; signal: AbortSignal; onBytes: Terms['onBytes'] | undefined }

/** Writes a file and returns its SHA-256. */
async function store(
  { content, size }: Opened,
  place: string,
  { name, maxBytes, signal, onBytes }: Storing,
): Promise<string> {
  const tooLarge = () =>
    new AppError('too_large', `${name} has more than ${Math.floor(maxBytes / 1024 / 1024)} MB, the limit.`)
  if ((size ?? 0) > maxBytes) throw tooLarge()
  await mkdir(dirname(place), { recursive: true })
  const file = await open(place, 'w')
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of content) {
      signal.throwIfAborted()
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw tooLarge()
      hash.update(chunk)
      await file.writeFile(chunk)
      await onBytes?.(bytes, size)
    }
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}
