import { replaceCitations } from '#shared/platform/citations/citation-tags.ts'
import type { CitedQuery } from '#shared/platform/citations/passages.ts'
import { parseJson } from '#shared/runs/runs/join.ts'
import type { ModelMessage, ToolResultPart } from '../../../models/models/port.ts'

const QUERY_DATABASE = 'query_database'
/** Maximum characters of a query that a source holds; the execution has the whole text. */
const MAX_SQL = 2_000

/** A query whose result is in the messages. `id` is its execution, `text` the result that figures are checked against. */
export type NamedQuery = { id: string; query: CitedQuery; text: string }

/**
 * Numbers the results of database queries in messages, after `before` other sources, and tells the model how to cite each. Citations of queries
 * in earlier answers become numbers again.
 */
export function briefQueries(
  messages: readonly ModelMessage[],
  before: number,
): { messages: ModelMessage[]; queries: NamedQuery[] } {
  const queries: NamedQuery[] = []
  const number = (id: string) => before + queries.findIndex((one) => one.id === id) + 1
  const told = messages.map((message): ModelMessage => {
    if (message.role !== 'tool') return message
    const content = message.content.map((part) => {
      const found = readQuery(part)
      if (!found) return part
      if (!queries.some(({ id }) => id === found.id)) queries.push(found)
      return {
        ...part,
        output: `Cite each figure from this result as [${number(found.id)}].\n${part.output}`,
      }
    })
    return { ...message, content }
  })
  if (queries.length === 0) return { messages: told, queries }
  return { messages: told.map((message) => renumber(message, number)), queries }

  function renumber(message: ModelMessage, numberOf: (id: string) => number): ModelMessage {
    if (message.role !== 'assistant') return message
    const known = (id: string) => queries.some((one) => one.id === id)
    const content = message.content.map((part) =>
      part.type === 'text'
        ? { ...part, text: replaceCitations(part.text, (id) => (known(id) ? `[${numberOf(id)}]` : '')) }
        : part,
    )
    return { ...message, content }
  }
}

const fields = {
  database: /[{,]"database":("(?:[^"\\]|\\.)*")/,
  sent: /[{,]"sent":("(?:[^"\\]|\\.)*")/,
  read_at: /[{,]"read_at":("(?:[^"\\]|\\.)*")/,
}

/** Reads what a result says of its query. A long result may be cut at its end. */
function readQuery({ name, output, is_error }: ToolResultPart): NamedQuery | null {
  if (name !== QUERY_DATABASE || is_error) return null
  const id = /[{,]"execution_id":"([0-9a-f-]{36})"/.exec(output)?.[1]
  const rows = /,"row_count":(\d{1,9})[,}]/.exec(output)?.[1]
  const textOf = (field: keyof typeof fields) => {
    const [, found = 'null'] = fields[field].exec(output) ?? []
    const value = parseJson(found)
    return typeof value === 'string' ? value : ''
  }
  if (id === undefined || rows === undefined) return null
  const sql = textOf('sent').slice(0, MAX_SQL).toWellFormed()
  const query = { database: textOf('database'), sql, read_at: textOf('read_at'), rows: Number(rows) }
  return { id, query, text: output }
}
