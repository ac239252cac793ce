import { AppError } from '#shared/platform/errors.ts'
import type { ToolRun } from '#shared/tools/tools/tool.ts'
import type describeDatabases from './contract.ts'

/** Returns the databases of the person, or the named one. @throws AppError `not_found` */
const run: ToolRun<typeof describeDatabases> = async ({ database }, { databases }) => {
  const all = await databases.list()
  const named = database?.trim().toLowerCase()
  const wanted = named ? all.filter(({ id, name }) => id === named || name.toLowerCase() === named) : all
  if (wanted.length === 0)
    throw new AppError(
      'not_found',
      named ? `There is no database “${database}”.` : 'No database is open to you.',
    )
  return {
    databases: wanted.map(({ name, dialect, limit_rows, tables }) => ({
      ...{ name, dialect, limit_rows },
      tables: tables.map((table) => ({
        name: table.schema === '' ? table.name : `${table.schema}.${table.name}`,
        comment: table.comment,
        columns: table.columns,
      })),
    })),
  }
}

export default run
