import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { route, WIRE_BASE } from '../../platform/http.ts'
import { atMost, text } from '../../platform/primitives.ts'
import { Embeddings, WireModel, WireModels } from './answers.ts'

/** Prefix of assistants in the list of models, followed by the id or the slug of the name. */
export const ASSISTANT_PREFIX = 'assistant/'

export const listWireModels = route({
  method: 'GET',
  base: WIRE_BASE,
  path: '/models',
  access: 'user',
  fails: ['not_found'],
  scope: 'chat',
  summary: 'Models and assistants that may be asked, embedding and speech models',
  pages: 1_000,
  answer: WireModels,
})

export const getWireModel = route({
  method: 'GET',
  base: WIRE_BASE,
  path: '/models/*',
  access: 'user',
  fails: ['not_available', 'not_found'],
  scope: 'chat',
  summary: 'One model',
  params: z.object({ '*': text(1, MAX_MODEL_NAME) }),
  answer: WireModel,
})

/** Texts per request, and tokens per text. */
const MAX_INPUTS = 2048
const MAX_TOKENS = 100_000
/** A list of integers with one check for all of them: a request may hold 300,000. */
const Tokens = z.pipe(
  z.array(z.unknown()).check(
    ...[z.minLength(1), atMost(MAX_TOKENS)],
    z.refine((list) => list.every(Number.isSafeInteger), { error: 'must be a list of integers' }),
  ),
  z.transform((list) => list as number[]),
)

export const EmbeddingCall = z.object({
  model: text(1, MAX_MODEL_NAME),
  /** Texts, or tokens of the encoding cl100k_base. */
  input: z.union([
    text(1, 200_000),
    z.array(text(1, 200_000)).check(z.minLength(1), z.maxLength(MAX_INPUTS)),
    Tokens,
    z.array(Tokens).check(z.minLength(1), z.maxLength(MAX_INPUTS)),
  ]),
  encoding_format: z.optional(z.nullable(z.enum(['float', 'base64']))),
  /** Length of the vectors, for models that can shorten them. */
  dimensions: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(100_000)))),
})
export type EmbeddingCall = z.infer<typeof EmbeddingCall>

export const createEmbeddings = route({
  method: 'POST',
  base: WIRE_BASE,
  path: '/embeddings',
  afterTerms: true,
  access: 'user',
  fails: [
    'not_available',
    'class_refused',
    'provider_failed',
    'provider_key_refused',
    'insufficient_balance',
    'budget_used_up',
    'not_found',
  ],
  scope: 'chat',
  summary: 'Vectors of texts',
  description:
    'Lists of tokens are read as cl100k_base. "dimensions" is passed on to the provider; a model whose vectors have another length refuses it with 400.',
  bodyLimit: 4_000_000,
  maxValues: 320_000,
  body: EmbeddingCall,
  answer: Embeddings,
})
