import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'

/** Facts about a model from the files next to it. */
export type EmbeddingFacts = {
  dimensions: number
  /** Tokens read per text. */
  max_tokens: number
  /** Source of a text's vector: its first token, or the mean of all tokens. */
  pooling: 'cls' | 'mean'
  /** Prefixes of questions and passages. */
  prompts: { query: string; passage: string }
}

/** Maximum tokens per text. Passages are shorter, and memory grows quadratically. */
const TOKENS_MAX = 1_024

const Config = z.object({
  hidden_size: z.int().check(z.gte(1), z.lte(16_384)),
  max_position_embeddings: z.int().check(z.gte(8)),
})
const Pooling = z.object({
  pooling_mode_cls_token: z._default(z.boolean(), false),
  pooling_mode_mean_tokens: z._default(z.boolean(), false),
})
const Sentence = z.object({ max_seq_length: z.optional(z.int().check(z.gte(8))) })
const Prompts = z.object({ prompts: z.optional(z.record(z.string(), z.string())) })
const Tokenizer = z.object({ model: z.object({ type: z.string() }) })

/** Reads the facts of a model. @throws Error with a sentence that says what is missing or wrong */
export async function readEmbeddingFacts(folder: string): Promise<EmbeddingFacts> {
  for (const file of ['model.onnx', 'tokenizer.json', 'config.json', 'SHA256SUMS'])
    if (!(await isThere(folder, file))) throw new Error(`${file} is missing.`)
  await read(folder, 'tokenizer.json', Tokenizer, 'names no type of tokenizer')
  const { hidden_size, max_position_embeddings } = await read(
    ...([folder, 'config.json', Config] as const),
    'does not say how long vectors are (hidden_size) and how many tokens are read (max_position_embeddings)',
  )
  const pooling = await readIfThere(folder, '1_Pooling/config.json', Pooling)
  if (pooling && !pooling.pooling_mode_cls_token && !pooling.pooling_mode_mean_tokens)
    throw new Error('1_Pooling/config.json requires a pooling other than the first token (cls) or the mean.')
  const sentence = await readIfThere(folder, 'sentence_bert_config.json', Sentence)
  const { prompts = {} } = (await readIfThere(folder, 'config_sentence_transformers.json', Prompts)) ?? {}
  return {
    dimensions: hidden_size,
    max_tokens: Math.min(
      sentence?.max_seq_length ?? max_position_embeddings,
      max_position_embeddings,
      TOKENS_MAX,
    ),
    pooling: pooling?.pooling_mode_cls_token ? 'cls' : 'mean',
    prompts: { query: prompts.query ?? '', passage: prompts.passage ?? prompts.document ?? '' },
  }
}

const isThere = (folder: string, file: string) =>
  stat(join(folder, file)).then(
    (found) => found.isFile(),
    () => false,
  )

async function readIfThere<Schema extends z.core.$ZodType>(folder: string, file: string, schema: Schema) {
  return (await isThere(folder, file)) ? read(folder, file, schema, 'is invalid') : null
}

async function read<Schema extends z.core.$ZodType>(
  folder: string,
  file: string,
  schema: Schema,
  trouble: string,
): Promise<z.output<Schema>> {
  const text = await readFile(join(folder, file), 'utf8')
  try {
    return z.parse(schema, JSON.parse(text))
  } catch {
    throw new Error(`${file} ${trouble}.`)
  }
}
