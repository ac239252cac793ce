import { LIBRARY_COLLECTION } from '#shared/knowledge/search/search.ts'
import {
  type CollectionConfiguration,
  embeddingDimensions,
  type NewCollection,
  type VectorizerConfig,
} from '#shared/knowledge/vector-db/vector-db.ts'
import { AppError } from '#shared/platform/errors.ts'
import { isTargetName, type TableSpec, type Target } from '../../platform/vectors/vectors.ts'

const COLLECTION_NAME = /^[a-z][a-z0-9_-]*$/i
const DEFAULT_VECTOR = 'default'

/** Refuses a name that a collection cannot have. @throws AppError `invalid`, `conflict` */
export function assertFreeName({ name }: NewCollection): void {
  if (!COLLECTION_NAME.test(name))
    throw invalid('The name of a collection starts with a letter and has letters, digits, - and _ only.')
  if (name.toLowerCase() === LIBRARY_COLLECTION.toLowerCase())
    throw new AppError('conflict', `The name ${LIBRARY_COLLECTION} is reserved for the library.`)
}

/** The table for a collection with this configuration. @throws AppError `invalid` with the first setting that is not possible */
export function specOf(configuration: CollectionConfiguration): TableSpec {
  const given = configuration.vectorizer_configs
  const targets = (given.length > 0 ? given : [theDefault]).map((one) => targetOf(one, configuration))
  assertEachOnce(targets, 'vector')
  assertEachOnce(configuration.properties, 'property')
  return { targets, index: configuration.index_type }
}

const theDefault: VectorizerConfig = {
  ...{ name: DEFAULT_VECTOR, vector_type: 'single', integration_type: '', model_name: '' },
  ...{ source_properties: [], multi_vector_enabled: false },
}

function targetOf(given: VectorizerConfig, configuration: CollectionConfiguration): Target {
  const { name, vector_type, multi_vector_enabled } = given
  const { distance_metric: metric, embedding_model } = configuration
  if (!isTargetName(name))
    throw invalid(`The name of the vector ${name} starts with a letter and has letters, digits and _ only.`)
  const isMulti = vector_type === 'multi' || multi_vector_enabled
  const dimensions = given.dimensions ?? knownDimensions(given.model_name || embedding_model)
  if (dimensions === null) throw invalid(`Say how many dimensions the vector ${name} has.`)
  // The engine supports no other metric for several vectors of an object.
  if (isMulti && metric !== 'cosine')
    throw invalid(`Several vectors in an object (${name}) are compared by cosine only.`)
  if (metric === 'hamming' && dimensions % 8 !== 0)
    throw invalid(`With hamming the dimensions of the vector ${name} must be a multiple of 8.`)
  return { name, dimensions, metric, isMulti }
}

function knownDimensions(model: string): number | null {
  return Object.hasOwn(embeddingDimensions, model)
    ? embeddingDimensions[model as keyof typeof embeddingDimensions]
    : null
}

function assertEachOnce(things: readonly { name: string }[], kind: string): void {
  const seen = new Set<string>()
  for (const { name } of things) {
    if (seen.has(name.toLowerCase()))
      throw invalid(`There are two with the name ${name}: a ${kind} needs its own.`)
    seen.add(name.toLowerCase())
  }
}

const invalid = (sentence: string) => new AppError('invalid', sentence)
