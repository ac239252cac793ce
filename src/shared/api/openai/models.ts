import * as z from 'zod/mini'
import { route, WIRE_BASE } from '../../platform/http.ts'
import { text } from '../../platform/primitives.ts'
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
  summary: 'Models and assistants that may be asked',
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
  params: z.object({ '*': text(1, 300) }),
  answer: WireModel,
})

export const EmbeddingCall = z.object({
  model: text(1, 300),
  input: z.union([text(1, 200_000), z.array(text(1, 200_000)).check(z.minLength(1), z.maxLength(256))]),
  encoding_format: z.optional(z.enum(['float', 'base64'])),
})
export type EmbeddingCall = z.infer<typeof EmbeddingCall>

export const createEmbeddings = route({
  method: 'POST',
  base: WIRE_BASE,
  path: '/embeddings',
  access: 'user',
  fails: [
    'not_available',
    'provider_failed',
    'provider_key_refused',
    'insufficient_balance',
    'budget_used_up',
    'not_found',
  ],
  scope: 'chat',
  summary: 'Vectors of texts',
  bodyLimit: 4_000_000,
  body: EmbeddingCall,
  answer: Embeddings,
})
