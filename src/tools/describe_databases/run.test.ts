import { expect, it } from 'vitest'
import type { DatabaseSchema } from '#shared/tools/databases/databases.ts'
import type { ToolContext } from '#shared/tools/tools/tool.ts'
import run from './run.ts'

const column = { name: 'id', type: 'int', comment: '', samples: ['1'] }
const schema = (name: string): DatabaseSchema => ({
  ...{ id: name, name, dialect: 'PostgreSQL', limit_rows: 10, limit_seconds: 5 },
  tables: [{ schema: 'erp', name: 'invoices', comment: 'Lines', columns: [column] }],
})
const context = { databases: { list: async () => [schema('ERP'), schema('CRM')] } } as unknown as ToolContext

it('describes all databases, or the named one', async () => {
  const all = await run({}, context)
  expect(all.databases.map(({ name }) => name)).toEqual(['ERP', 'CRM'])
  const { databases } = await run({ database: 'crm' }, context)
  expect(databases).toEqual([
    {
      ...{ name: 'CRM', dialect: 'PostgreSQL', limit_rows: 10 },
      tables: [{ name: 'erp.invoices', comment: 'Lines', columns: [column] }],
    },
  ])
  await expect(run({ database: 'x' }, context)).rejects.toThrow('There is no database “x”')
})
