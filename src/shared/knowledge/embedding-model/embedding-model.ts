import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Notice, trimmed } from '../../platform/primitives.ts'

/** An embedding model that documents may be searched with. */
export const OfferedEmbedding = z.object({
  /** `provider/model`. */
  id: z.string(),
  name: z.string(),
  /** Null where it runs here. */
  provider_name: z.nullable(z.string()),
  /** Numbers of a vector, where that is known before it is asked. */
  dimensions: z.nullable(z.int()),
  /** Tokens it reads of a text, where that is known. */
  max_tokens: z.nullable(z.int()),
  /** It finds texts by questions in their own language only. Not said where nobody knows. */
  is_monolingual: z.optional(z.boolean()),
  /** Why it cannot be chosen, in a sentence. */
  problem: z.nullable(z.string()),
})
export type OfferedEmbedding = z.infer<typeof OfferedEmbedding>

/** The vectors of another model that are being made while the library is searched by those of the one before. */
export const EmbeddingBuild = z.object({
  model: z.string(),
  /** Passages that have a vector of it, of all. */
  done: z.int(),
  total: z.int(),
  /** Why it does not get on, in a sentence; it is tried again each minute. */
  standstill: z.nullable(z.string()),
})
export type EmbeddingBuild = z.infer<typeof EmbeddingBuild>

export const EmbeddingModelState = z.object({
  /** Searches compare its vectors, and documents are read with it. */
  model: z.string(),
  passages: z.int(),
  building: z.nullable(EmbeddingBuild),
  /** The one before: going back to it makes only what came since. */
  kept: z.nullable(z.object({ model: z.string(), until: z.string() })),
  offered: z.array(OfferedEmbedding),
})
export type EmbeddingModelState = z.infer<typeof EmbeddingModelState>

export const getEmbeddingModel = route({
  method: 'GET',
  path: '/embedding-model',
  access: 'super_admin',
  summary: 'The embedding model of the library, the change to another one, and which there are',
  answer: EmbeddingModelState,
})

/** The longest id of a model. */
const model = trimmed(3, 200).check(z.regex(/^[^/]+\/.+$/))

export const getEmbeddingCost = route({
  method: 'GET',
  path: '/embedding-model/cost',
  access: 'super_admin',
  fails: ['not_available', 'provider_failed', 'not_found'],
  summary: 'What it takes to go over to an embedding model',
  query: z.object({ model }),
  answer: z.object({
    /** That have no vector of it yet. */
    passages: z.int(),
    /** By their length: about. */
    tokens: z.int(),
    /** In dollars; 0 where it runs here, null where no price is known. */
    price: z.nullable(z.number()),
  }),
})

export const changeEmbeddingModel = route({
  method: 'POST',
  path: '/embedding-model/change',
  access: 'super_admin',
  fails: ['conflict', 'not_available', 'provider_failed', 'not_found'],
  summary:
    'Go over to another embedding model, or back to the one before: it is tried, then built beside the one that is searched',
  body: z.object({ model }),
  status: 202,
  answer: Notice,
})

export const cancelEmbeddingChange = route({
  method: 'DELETE',
  path: '/embedding-model/change',
  access: 'super_admin',
  fails: ['conflict'],
  summary: 'Give the change of the embedding model up; what is searched stays as it is',
  answer: Notice,
})
