import * as z from 'zod/mini'
import { tool } from '#shared/tools/tools/tool.ts'

const column = z.object({
  name: z.string(),
  type: z.string(),
  comment: z.string(),
  samples: z.array(z.string()),
})

const describeDatabases = tool({
  id: 'describe_databases',
  name: 'Describe databases',
  icon: 'database',
  description:
    'Lists the company databases you may query, with their tables, columns, comments and sample values. Call it before query_database. Tables and columns that it does not list cannot be read.',
  input: z.object({ database: z.optional(z.string().check(z.maxLength(200))) }),
  output: z.object({
    databases: z.array(
      z.object({
        name: z.string(),
        dialect: z.string(),
        limit_rows: z.number(),
        tables: z.array(z.object({ name: z.string(), comment: z.string(), columns: z.array(column) })),
      }),
    ),
  }),
  repeatable: true,
  takes: 'nothing',
  limitSeconds: 30,
  onlyWith: 'database',
})

export default describeDatabases
