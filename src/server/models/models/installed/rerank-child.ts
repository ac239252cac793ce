import type { Tokenizer } from '@huggingface/tokenizers'
import { lowerPriority } from '../../../platform/process/lower-priority.ts'
import type { Said } from '../process/model-process.ts'
import { type ModelFiles, readModelFiles } from './model-files.ts'

/** Messages to and from the process that rates: one number per text, from 0 to 1. */
export type ToRerankChild = { question: string; texts: string[] }
export type FromRerankChild = Said | { kind: 'rated'; rates: number[] }

/** Cross-encoders are trained with pairs of at most this length. */
const TOKENS_OF_A_PAIR = 512

lowerPriority(10)
process.on('disconnect', () => process.exit())
await start(process.argv[2] ?? '').catch((error) => say({ kind: 'refused', reason: reasonOf(error) }))

async function start(folder: string): Promise<void> {
  const rate = await openModel(await readModelFiles(folder))
  const trial = await rate('When is the rent due?', 'The rent is due on the first of the month.')
  if (!Number.isFinite(trial)) throw new Error('its trial returned no number')
  process.on('message', async ({ question, texts }: ToRerankChild) => {
    try {
      const rates: number[] = []
      for (const text of texts) rates.push(await rate(question, text))
      say({ kind: 'rated', rates })
    } catch (error) {
      say({ kind: 'failed', reason: reasonOf(error) })
    }
  })
  say({ kind: 'ready' })
}

/** Opens a cross-encoder, which reads question and text as a pair and returns one number. */
async function openModel({ model, tokenizer: read, settings }: ModelFiles) {
  const { InferenceSession, Tensor } = await import('onnxruntime-node')
  const { Tokenizer } = await import('@huggingface/tokenizers')
  const tokenizer = new Tokenizer(read, settings)
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableMemPattern: false,
  })
  return async (question: string, text: string): Promise<number> => {
    const { ids, types } = encodePair(tokenizer, question, text)
    const given: Record<string, number[]> = {
      input_ids: ids,
      attention_mask: ids.map(() => 1),
      token_type_ids: types,
    }
    const inputs = session.inputNames.map((name) => {
      const numbers = given[name]
      if (!numbers) throw new Error(`the model requires the unknown input ${name}`)
      return [name, new Tensor('int64', BigInt64Array.from(numbers, BigInt), [1, ids.length])] as const
    })
    const [output] = Object.values(await session.run(Object.fromEntries(inputs)))
    // With two classes, the last one means that the text answers the question.
    const said = Number((output?.data as Float32Array | undefined)?.at(-1))
    return 1 / (1 + Math.exp(-said))
  }
}

/** Encodes a pair. Cuts long texts before the last token, which closes the pair. */
function encodePair(tokenizer: Tokenizer, question: string, text: string) {
  const { ids, token_type_ids } = tokenizer.encode(question, {
    text_pair: text,
    return_token_type_ids: true,
  })
  const cut = (numbers: number[]) =>
    numbers.length <= TOKENS_OF_A_PAIR
      ? numbers
      : [...numbers.slice(0, TOKENS_OF_A_PAIR - 1), ...numbers.slice(-1)]
  return { ids: cut(ids), types: cut(token_type_ids) }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500)
}

function say(message: FromRerankChild): void {
  process.send?.(message)
}
