import * as z from 'zod/mini'
import { QueryResult } from '#shared/tools/databases/databases.ts'
import { tool } from '#shared/tools/tools/tool.ts'

const queryDatabase = tool({
  id: 'query_database',
  name: 'Query database',
  icon: 'database',
  description:
    'Runs one read-only SELECT in a company database and returns its rows. Use describe_databases first, and write SQL in the dialect it names. Use single quotes for texts, no comments and no semicolon. Aggregate in SQL: only the first rows are returned, all rows are in the file of the result. Cite each figure you take from a result with its number.',
  input: z.object({
    database: z.string().check(z.minLength(1), z.maxLength(200)),
    sql: z.string().check(z.minLength(1), z.maxLength(20_000)),
  }),
  output: QueryResult,
  repeatable: true,
  takes: 'nothing',
  limitSeconds: 330,
  onlyWith: 'database',
})

export default queryDatabase
