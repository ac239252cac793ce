import * as z from 'zod/mini'
import { route } from '../http.ts'
import { text } from '../primitives.ts'

/** How assistants are named among models: `assistant/` and their id or their name as a slug. */
export const ASSISTANT_PREFIX = 'assistant/'

export const listWireModels = route({
  method: 'GET',
  path: '/models',
  access: 'user',
  scope: 'chat',
  summary: 'Models and assistants that may be asked',
})

export const getWireModel = route({
  method: 'GET',
  path: '/models/*',
  access: 'user',
  scope: 'chat',
  summary: 'One model',
})

export const EmbeddingCall = z.object({
  model: text(1, 300),
  input: z.union([text(1, 200_000), z.array(text(1, 200_000)).check(z.minLength(1), z.maxLength(256))]),
  encoding_format: z.optional(z.enum(['float', 'base64'])),
})
export type EmbeddingCall = z.infer<typeof EmbeddingCall>

export const createEmbeddings = route({
  method: 'POST',
  path: '/embeddings',
  access: 'user',
  scope: 'chat',
  summary: 'Vectors of texts',
  bodyLimit: 4_000_000,
  body: EmbeddingCall,
})
