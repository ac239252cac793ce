import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { text, trimmed } from '../../platform/primitives.ts'

/** Embedding models with a known vector length. */
export const embeddingDimensions = {
  'text-embedding-ada-002': 1536,
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'e5-base-v2': 768,
  'e5-large-v2': 1024,
  'bge-large-en-v1.5': 1024,
  'clip-vit-base-patch32': 512,
  'mistral-embed': 1024,
} as const

export const IndexType = z.enum(['hnsw', 'flat'])
export const DistanceMetric = z.enum(['cosine', 'dot', 'l2-squared', 'l1', 'hamming'])
/** Empty for custom vectors, which callers store with each object. */
export const Integration = z.enum(['', 'text2vec-openai', 'text2vec-cohere', 'text2colbert-jinaai'])
export const DataType = z.enum(['text', 'int', 'float', 'boolean', 'date', 'geo', 'object'])

export const MAX_VECTORS = 10
export const MAX_PROPERTIES = 100
export const MAX_DIMENSIONS = 8_192

/** A named vector of every object. `multi`: one vector per token. */
export const VectorizerConfig = z.object({
  name: trimmed(1, 41),
  vector_type: z._default(z.enum(['single', 'multi']), 'single'),
  integration_type: z._default(Integration, ''),
  model_name: z._default(trimmed(0, MAX_MODEL_NAME), ''),
  /** Length of a vector; required for models whose length is unknown. */
  dimensions: z.optional(z.int().check(z.gte(1), z.lte(MAX_DIMENSIONS))),
  source_properties: z._default(z.array(trimmed(1, 100)).check(z.maxLength(MAX_PROPERTIES)), []),
  multi_vector_enabled: z._default(z.boolean(), false),
})
export type VectorizerConfig = z.infer<typeof VectorizerConfig>

export const CollectionProperty = z.object({
  name: trimmed(1, 100),
  data_type: z._default(DataType, 'text'),
  description: z._default(trimmed(0, 1_000), ''),
  index_filterable: z._default(z.boolean(), true),
  index_searchable: z._default(z.boolean(), true),
})
export type CollectionProperty = z.infer<typeof CollectionProperty>

/** Settings of a new collection. Without named vectors it gets one, `default`, of its embedding model. */
export const CollectionConfiguration = z.object({
  embedding_model: z._default(trimmed(0, MAX_MODEL_NAME), ''),
  index_type: z._default(IndexType, 'hnsw'),
  distance_metric: z._default(DistanceMetric, 'cosine'),
  multi_tenancy_enabled: z._default(z.boolean(), false),
  vectorizer_configs: z._default(z.array(VectorizerConfig).check(z.maxLength(MAX_VECTORS)), []),
  properties: z._default(z.array(CollectionProperty).check(z.maxLength(MAX_PROPERTIES)), []),
})
export type CollectionConfiguration = z.infer<typeof CollectionConfiguration>

export const NewCollection = z.object({
  name: trimmed(1, 100),
  description: z._default(text(0, 1_000), ''),
  configuration: z._default(CollectionConfiguration, CollectionConfiguration.parse({})),
})
export type NewCollection = z.infer<typeof NewCollection>
