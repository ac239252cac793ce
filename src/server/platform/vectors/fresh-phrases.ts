import type { Table } from '@lancedb/lancedb'
import { type Filter, toSql } from './filter.ts'
import { keywordQuery, type Words } from './keyword-query.ts'
import { languages } from './table-spec.ts'

/** Rows with words of a phrase that are looked at, for each that is wanted. */
const LOOKED_AT = 5

/** Rows that have the phrases word for word: an index knows the places of words only once it was folded, which takes a while after writing. */
export async function freshPhrases(
  table: Table,
  words: Words,
  { filter, limit }: { filter: Filter; limit: number },
): Promise<{ id: string; score: number }[]> {
  const query = keywordQuery(words, languages, { apart: true })
  if (!query) return []
  const rows: { id: string; text: string; _score: number }[] = await table
    .query()
    .fullTextSearch(query)
    .where(toSql(filter))
    .select(['id', 'text', '_score'])
    .limit(limit * LOOKED_AT)
    .toArray()
  const phrases = words.phrases.map(folded)
  return rows
    .filter(({ text }) => phrases.every((phrase) => folded(text).includes(phrase)))
    .map(({ id, _score: score }) => ({ id, score }))
}

/** Words alone, with a space on each side of each. */
const folded = (text: string) =>
  ` ${
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `
