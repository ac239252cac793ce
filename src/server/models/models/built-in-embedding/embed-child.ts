import type { InferenceSession, Tensor } from 'onnxruntime-node'
import { lowerPriority } from '../../../platform/process/lower-priority.ts'
import type { Said } from '../process/model-process.ts'
import { type Match, matchTokens, type Tokens } from './late-interaction.ts'
import { type ModelFiles, makeModel, readModel } from './model.ts'
import { createWordPiece } from './wordpiece.ts'

/**
 * Messages to and from the process that embeds: vectors of texts, or with a question how their tokens match it. The process says
 * `made` and ends when it had to create the model first.
 */
export type ToEmbedChild = { texts: string[]; question?: string }
export type FromEmbedChild =
  | Said
  | { kind: 'made' }
  | { kind: 'embedded'; vectors: Float32Array[] }
  | { kind: 'matched'; matches: Match[] }

const DIMENSIONS = 384
/** Reading more of a text does not improve the search. */
const TOKENS_OF_A_TEXT = 256

// HTTP requests come first.
lowerPriority(10)
process.on('disconnect', () => process.exit())
await start(process.argv[2] ?? '').catch((error) => say({ kind: 'refused', reason: reasonOf(error) }))

async function start(folder: string): Promise<void> {
  const files = await readModel(folder)
  if (!files) {
    await makeModel(folder)
    return say({ kind: 'made' })
  }
  const read = await openModel(files)
  let asked: { text: string; tokens: Tokens } | null = null
  const readQuestion = async (text: string): Promise<Tokens> => {
    if (asked?.text !== text) asked = { text, tokens: tokensOf(await read(text)) }
    return asked.tokens
  }
  process.on('message', async ({ texts, question }: ToEmbedChild) => {
    try {
      if (question === undefined) {
        const vectors: Float32Array[] = []
        for (const text of texts) vectors.push(meanOf((await read(text)).vectors))
        return say({ kind: 'embedded', vectors })
      }
      const wanted = await readQuestion(question)
      const matches: Match[] = []
      for (const text of texts) matches.push(matchTokens(wanted, tokensOf(await read(text))))
      say({ kind: 'matched', matches })
    } catch (error) {
      say({ kind: 'failed', reason: reasonOf(error) })
    }
  })
  say({ kind: 'ready' })
}

/**
 * Reads one text at a time. Batches are not faster on one core, and they would change the vectors, because the 8-bit range would
 * span all texts of a batch.
 */
async function openModel({ model, vocabulary }: ModelFiles): Promise<(text: string) => Promise<Tokens>> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node')
  const tokenizer = createWordPiece(vocabulary)
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // The pattern would store a memory plan for every length of text.
    enableMemPattern: false,
  })
  const tensor = (numbers: bigint[]) => new Tensor('int64', BigInt64Array.from(numbers), [1, numbers.length])
  return async (text) => {
    const ids = tokenizer.encode(text, TOKENS_OF_A_TEXT)
    const output = await session.run({
      input_ids: tensor(ids.map(BigInt)),
      attention_mask: tensor(ids.map(() => 1n)),
      token_type_ids: tensor(ids.map(() => 0n)),
    })
    return { ids, vectors: firstOf(output) }
  }
}

function firstOf(output: InferenceSession.OnnxValueMapType): Float32Array {
  const data = (Object.values(output)[0] as Tensor | undefined)?.data
  if (!(data instanceof Float32Array)) throw new Error('the model returned no vectors')
  return data
}

/** Returns the mean of the token vectors, with length 1. */
function meanOf(vectors: Float32Array): Float32Array {
  const mean = new Float32Array(DIMENSIONS)
  for (let at = 0; at < vectors.length; at++) {
    const place = at % DIMENSIONS
    mean[place] = (mean[place] ?? 0) + (vectors[at] ?? 0)
  }
  const length = Math.hypot(...mean) || 1
  return mean.map((value) => value / length)
}

/** Returns the tokens without those of start and end, each vector with length 1. */
function tokensOf({ ids, vectors }: Tokens): Tokens {
  const inner = vectors.slice(DIMENSIONS, -DIMENSIONS)
  for (let from = 0; from < inner.length; from += DIMENSIONS) {
    const one = inner.subarray(from, from + DIMENSIONS)
    const length = Math.hypot(...one) || 1
    for (let at = 0; at < DIMENSIONS; at++) one[at] = (one[at] ?? 0) / length
  }
  return { ids: ids.slice(1, -1), vectors: inner }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500)
}

function say(message: FromEmbedChild): void {
  process.send?.(message)
}
