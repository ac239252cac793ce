import type { Tensor } from 'onnxruntime-node'
import { lowerPriority } from '../../../platform/process/lower-priority.ts'
import type { Said } from '../process/model-process.ts'
import { type EmbeddingFacts, readEmbeddingFacts } from './embedding-folder.ts'
import { type ModelFiles, readModelFiles } from './model-files.ts'

/** Messages to and from the process that embeds with an installed model. */
export type ToInstalledChild = { texts: string[] }
export type FromInstalledChild = Said | { kind: 'embedded'; vectors: Float32Array[] }

lowerPriority(10)
process.on('disconnect', () => process.exit())
await start(process.argv[2] ?? '').catch((error) => say({ kind: 'refused', reason: reasonOf(error) }))

async function start(folder: string): Promise<void> {
  const facts = await readEmbeddingFacts(folder)
  const embed = await openModel(await readModelFiles(folder), facts)
  const trial = await embed('The rent is due on the first of the month.')
  if (!trial.every(Number.isFinite)) throw new Error('its trial returned no numbers')
  process.on('message', async ({ texts }: ToInstalledChild) => {
    try {
      const vectors: Float32Array[] = []
      for (const text of texts) vectors.push(await embed(text))
      say({ kind: 'embedded', vectors })
    } catch (error) {
      say({ kind: 'failed', reason: reasonOf(error) })
    }
  })
  say({ kind: 'ready' })
}

/** Reads one text at a time, which needs no padding. */
async function openModel({ model, tokenizer: read, settings }: ModelFiles, facts: EmbeddingFacts) {
  const { InferenceSession, Tensor } = await import('onnxruntime-node')
  const { Tokenizer } = await import('@huggingface/tokenizers')
  const tokenizer = new Tokenizer(read, settings)
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableMemPattern: false,
  })
  return async (text: string): Promise<Float32Array> => {
    const ids = encode(text)
    const given: Record<string, number[]> = {
      input_ids: ids,
      attention_mask: ids.map(() => 1),
      token_type_ids: ids.map(() => 0),
    }
    const inputs = session.inputNames.map((name) => {
      const numbers = given[name]
      if (!numbers) throw new Error(`the model requires the unknown input ${name}`)
      return [name, new Tensor('int64', BigInt64Array.from(numbers, BigInt), [1, ids.length])] as const
    })
    const outputs = await session.run(Object.fromEntries(inputs))
    return vectorOf(
      outputs.sentence_embedding ?? outputs.last_hidden_state ?? Object.values(outputs)[0],
      facts,
    )
  }

  /** Cuts long texts before their last token, which closes them. */
  function encode(text: string): number[] {
    const { ids } = tokenizer.encode(text)
    return ids.length <= facts.max_tokens ? ids : [...ids.slice(0, facts.max_tokens - 1), ...ids.slice(-1)]
  }
}

/** Returns a vector of length 1 from the model's output for the text, or for each of its tokens. */
function vectorOf(output: Tensor | undefined, { dimensions, pooling }: EmbeddingFacts): Float32Array {
  const data = output?.data
  if (!(data instanceof Float32Array)) throw new Error('the model returned no vectors')
  const length = output?.dims.at(-1)
  if (length !== dimensions)
    throw new Error(`its vectors have ${length} numbers, and config.json says ${dimensions}`)
  const tokens = pooling === 'cls' ? 1 : data.length / dimensions
  const vector = new Float32Array(dimensions)
  for (let at = 0; at < tokens * dimensions; at++) {
    const place = at % dimensions
    vector[place] = (vector[place] ?? 0) + (data[at] ?? 0)
  }
  const norm = Math.hypot(...vector) || 1
  return vector.map((value) => value / norm)
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500)
}

function say(message: FromInstalledChild): void {
  process.send?.(message)
}
