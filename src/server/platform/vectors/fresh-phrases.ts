import type { Table } from '@lancedb/lancedb'
import { type Filter, toSql } from './filter.ts'
import { keywordQuery, type Words } from './keyword-query.ts'
import { languages } from './table-spec.ts'

/** Candidate rows checked per requested row. */
const CANDIDATES_PER_ROW = 5

/** Returns rows that contain the phrases literally. An index knows word positions only some time after a write, once merged. */
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
    .limit(limit * CANDIDATES_PER_ROW)
    .toArray()
  const phrases = words.phrases.map(folded)
  return rows
    .filter(({ text }) => phrases.every((phrase) => folded(text).includes(phrase)))
    .map(({ id, _score: score }) => ({ id, score }))
}

/** Returns only the words, each surrounded by spaces. */
const folded = (text: string) =>
  ` ${
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `
