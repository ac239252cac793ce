import type { Field, Schema } from 'apache-arrow'
import { engine } from './engine.ts'

export type Metric = 'cosine' | 'dot' | 'l2-squared' | 'l1' | 'hamming'

/** A named vector of each row. With `isMulti`, a row has several, one per token. */
export type Target = { name: string; dimensions: number; metric: Metric; isMulti: boolean }

/** `hnsw` uses a graph once a table is large enough; `flat` always compares all rows. */
export type TableSpec = { targets: readonly Target[]; index: 'hnsw' | 'flat' }

/** Languages with linguistic analysis. Other texts (`xx`) are indexed by their plain words. */
export const languages = ['en', 'fr', 'xx'] as const
export type IndexLanguage = (typeof languages)[number]

export const bodyOf = (language: IndexLanguage) => `body_${language}` as const
export const vectorOf = (target: Pick<Target, 'name'>) => `v_${target.name}`

/** Names become column names: letters, digits and underscores. */
export const isTargetName = (name: string) => /^[a-z][a-z0-9_]{0,40}$/i.test(name)

/** Returns the columns of a table: keys, searchable text, and a vector per target. */
export function schemaOf({ targets }: TableSpec): Schema {
  const { Schema, Field, Utf8, Int32, Float64, List } = engine().arrow
  const text = (name: string) => new Field(name, new Utf8(), true)
  return new Schema([
    new Field('id', new Utf8(), false),
    ...['reading_id', 'document_id', 'user_id', 'company_id'].map(text),
    new Field('shared_access', new List(text('item')), true),
    ...['chunk_type', 'file_name', 'file_type', 'language'].map(text),
    new Field('page', new Int32(), true),
    new Field('position', new Int32(), true),
    new Field('created_at', new Float64(), true),
    ...['title', 'text', 'metadata', ...languages.map(bodyOf)].map(text),
    ...targets.map(vectorField),
  ])
}

function vectorField(target: Target): Field {
  const { Field, FixedSizeList, Float32, List, Uint8 } = engine().arrow
  const isBits = target.metric === 'hamming'
  const size = isBits ? target.dimensions / 8 : target.dimensions
  const one = new FixedSizeList(size, new Field('item', isBits ? new Uint8() : new Float32(), true))
  return new Field(vectorOf(target), target.isMulti ? new List(new Field('item', one, true)) : one, true)
}
