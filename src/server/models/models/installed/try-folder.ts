import type { ModelKind, ModelTrial } from '#shared/knowledge/installed-models/installed-models.ts'
import { readEmbeddingFacts } from './embedding-folder.ts'
import { createInstalledEmbeddings } from './installed-embeddings.ts'
import { createInstalledRerankers } from './installed-rerankers.ts'

const question = 'When is the rent of the office due?'
const fitting = 'The rent of the office is due on the first working day of each month. '
const other = 'The soup of the day is made of leeks. '
/** Passages of the usual length, about eighty words each. */
const passages = [fitting.repeat(5), other.repeat(10), `${fitting.repeat(3)}${other.repeat(4)}`]
/** Tokens that a cross-encoder reads. */
const PAIR_TOKENS = 512

/**
 * Tries the model in `parent/name` on a few sentences, in a separate process that ends afterwards.
 * @throws Error, ModelError with a sentence about the problem; the reason of `signal`
 */
export async function tryFolder(
  kind: ModelKind,
  parent: string,
  name: string,
  signal: AbortSignal,
): Promise<Omit<ModelTrial, 'tried_at'>> {
  return kind === 'embedding' ? tryEmbedding(parent, name, signal) : tryReranker(parent, name, signal)
}

async function tryEmbedding(parent: string, name: string, signal: AbortSignal) {
  const { dimensions, max_tokens } = await readEmbeddingFacts(`${parent}/${name}`)
  const embeddings = createInstalledEmbeddings(parent)
  try {
    const embed = (texts: string[]) => embeddings.embed(`installed/${name}`, texts, 'passage', signal)
    const [first, second] = await embed([fitting, other])
    if (!first || !second || first.every((value, at) => Math.abs(value - (second[at] ?? 0)) < 1e-6))
      throw new Error('The trial returned the same vector for different texts.')
    const milliseconds = await timeOf(() => embed(passages))
    return { dimensions, max_tokens, milliseconds }
  } finally {
    embeddings.close()
  }
}

async function tryReranker(parent: string, name: string, signal: AbortSignal) {
  const rerankers = createInstalledRerankers(parent)
  try {
    const rate = (texts: string[]) => rerankers.rate(name, question, texts, signal)
    const [good = 0, bad = 0] = await rate([fitting, other])
    if (!(good > bad))
      throw new Error('The trial ranked an unrelated text above one that answers the question.')
    const milliseconds = await timeOf(() => rate(passages))
    return { dimensions: null, max_tokens: PAIR_TOKENS, milliseconds }
  } finally {
    rerankers.close()
  }
}

async function timeOf(read: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await read()
  return Math.round(((performance.now() - began) / passages.length) * 10) / 10
}
