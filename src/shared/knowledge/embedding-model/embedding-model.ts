import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { route } from '../../platform/http.ts'
import { Notice, trimmed } from '../../platform/primitives.ts'

/** An embedding model available for document search. */
export const OfferedEmbedding = z.object({
  /** `provider/model`. */
  id: z.string(),
  name: z.string(),
  /** Null for a local model. */
  provider_name: z.nullable(z.string()),
  /** Length of a vector; null when it is unknown before the first call. */
  dimensions: z.nullable(z.int()),
  /** Maximum tokens per text; null when unknown. */
  max_tokens: z.nullable(z.int()),
  /** True when questions only find texts in their own language. Absent when unknown. */
  is_monolingual: z.optional(z.boolean()),
  /** Reason it cannot be selected, in one sentence. */
  problem: z.nullable(z.string()),
})
export type OfferedEmbedding = z.infer<typeof OfferedEmbedding>

/** The build of another model's vectors, while searches still use the previous model. */
export const EmbeddingBuild = z.object({
  model: z.string(),
  /** Passages that already have a vector, and their total. */
  done: z.int(),
  total: z.int(),
  /** Reason the build is stuck, in one sentence; it is retried every minute. */
  standstill: z.nullable(z.string()),
})
export type EmbeddingBuild = z.infer<typeof EmbeddingBuild>

export const EmbeddingModelState = z.object({
  /** Model used for searches and for new documents. */
  model: z.string(),
  passages: z.int(),
  building: z.nullable(EmbeddingBuild),
  /** The previous model. Switching back only builds the vectors added since. */
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

/** Model id. */
const model = trimmed(3, MAX_MODEL_NAME).check(z.regex(/^[^/]+\/.+$/))

export const getEmbeddingCost = route({
  method: 'GET',
  path: '/embedding-model/cost',
  access: 'super_admin',
  fails: ['not_available', 'provider_failed', 'not_found'],
  summary: 'What it takes to go over to an embedding model',
  query: z.object({ model }),
  answer: z.object({
    /** Number of passages without a vector of this model. */
    passages: z.int(),
    /** Estimated from the length of the passages. */
    tokens: z.int(),
    /** Dollars; 0 for a local model, null when the price is unknown. */
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
