import type {
  CollectionConfiguration,
  CollectionProperty,
  VectorizerConfig,
} from '#shared/knowledge/vector-db/vector-db.ts'

/** A named vector while it is edited: numbers and lists are text. */
export type VectorizerDraft = Omit<VectorizerConfig, 'source_properties' | 'dimensions'> & {
  key: string
  source: string
  numbers: string
}
export type PropertyDraft = CollectionProperty & { key: string }
export type CollectionDraft = Omit<CollectionConfiguration, 'vectorizer_configs' | 'properties'> & {
  name: string
  description: string
  vectorizers: VectorizerDraft[]
  properties: PropertyDraft[]
}

export const emptyForm: CollectionDraft = {
  ...{ name: '', description: '', embedding_model: 'e5-large-v2', index_type: 'hnsw' },
  ...{ distance_metric: 'cosine', multi_tenancy_enabled: false, vectorizers: [], properties: [] },
}

export const aVectorizer = (): VectorizerDraft => ({
  ...{ key: crypto.randomUUID(), name: '', vector_type: 'single', integration_type: '', model_name: '' },
  ...{ multi_vector_enabled: false, source: '', numbers: '' },
})

export const aProperty = (): PropertyDraft => ({
  ...{ key: crypto.randomUUID(), name: '', data_type: 'text', description: '' },
  ...{ index_filterable: true, index_searchable: true },
})

/** Returns the text key of the problem; null if there is none. */
export function troubleOf({ vectorizers, properties }: CollectionDraft) {
  if (vectorizers.some(({ name }) => name.trim() === '')) return 'vectorizer_name'
  return properties.some(({ name }) => name.trim() === '') ? 'property_name' : null
}

/** Splits a comma-separated list of names. */
export const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

export function bodyOf({ name, description, vectorizers, properties, ...rest }: CollectionDraft) {
  return {
    ...{ name: name.trim(), description: description.trim() },
    configuration: {
      ...rest,
      vectorizer_configs: vectorizers.map(({ key: _, source, numbers, ...one }) => ({
        ...one,
        source_properties: namesIn(source),
        multi_vector_enabled: one.vector_type === 'multi',
        ...(numbers.trim() !== '' && { dimensions: Number(numbers) }),
      })),
      properties: properties.map(({ key: _, ...one }) => one),
    },
  }
}
