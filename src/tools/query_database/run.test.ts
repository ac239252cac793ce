import { describe, expect, it } from 'vitest'
import { csvRow, csvStyles } from '#shared/platform/csv.ts'
import type { ToolContext } from '#shared/tools/tools/tool.ts'
import { readCsv } from './read-csv.ts'
import run from './run.ts'
import { nextOrder, sortRows } from './sort-rows.ts'

describe('query_database', () => {
  it('passes the query on and names its execution', async () => {
    const asked: string[][] = []
    const query = async (...call: string[]) => {
      asked.push(call)
      return { database: 'ERP', sent: 'SELECT 1', row_count: 1 }
    }
    const context = {
      executionId: 'e1',
      databases: { query, list: async () => [] },
    } as unknown as ToolContext
    const result = await run({ database: 'ERP', sql: 'select 1' }, context)
    expect(result).toMatchObject({ execution_id: 'e1', sent: 'SELECT 1' })
    expect(asked).toEqual([['ERP', 'select 1']])
  })
})

describe('the file of a result', () => {
  it('is read back with its types', () => {
    const rows = [
      ['Lyon, "2e"', 12.5, null],
      ['line\r\nbreak', -3, 'x'],
    ]
    const text = [['city', 'total', 'note'], ...rows].map((row) => csvRow(row, csvStyles.en)).join('')
    const columns = [false, true, false].map((is_number, at) => ({ name: String(at), is_number }))
    expect(readCsv(text, columns)).toEqual(rows)
  })
})

describe('sorting rows', () => {
  it('compares numbers as numbers, with null values last in both directions', () => {
    const rows = [[10], [null], [9], [100]]
    expect(sortRows(rows, { column: 0, isDescending: false })).toEqual([[9], [10], [100], [null]])
    expect(sortRows(rows, { column: 0, isDescending: true })).toEqual([[100], [10], [9], [null]])
    expect(sortRows(rows, null)).toBe(rows)
  })

  it('returns to the order of the database after both directions', () => {
    const first = nextOrder(null, 1)
    const second = nextOrder(first, 1)
    expect([first, second, nextOrder(second, 1)]).toEqual([
      { column: 1, isDescending: false },
      { column: 1, isDescending: true },
      null,
    ])
  })
})
