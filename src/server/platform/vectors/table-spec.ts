import type { Field, Schema } from 'apache-arrow'
import { engine } from './engine.ts'

export type Metric = 'cosine' | 'dot' | 'l2-squared' | 'l1' | 'hamming'

/** A named vector of every row; `isMulti` where a row has several of it, one for each token. */
export type Target = { name: string; dimensions: number; metric: Metric; isMulti: boolean }

/** `hnsw` is a graph once a table is large enough to need one; `flat` compares with every row. */
export type TableSpec = { targets: readonly Target[]; index: 'hnsw' | 'flat' }

/** The languages whose words are known to the index; every other text is searched by its bare words. */
export const languages = ['en', 'fr', 'xx'] as const
export type IndexLanguage = (typeof languages)[number]

export const bodyOf = (language: IndexLanguage) => `body_${language}` as const
export const vectorOf = (target: Pick<Target, 'name'>) => `v_${target.name}`

/** Names become columns: letters, digits and underscores. */
export const isTargetName = (name: string) => /^[a-z][a-z0-9_]{0,40}$/i.test(name)

/** The columns of a table: what rows are found by, what is searched, and a vector for each target. */
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
