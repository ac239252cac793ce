import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase } from '#tests/database.ts'
import { createLog } from '../log.ts'
import { type Connection, connect } from './connect.ts'

let connection: Connection
let drop: () => Promise<void>
beforeAll(async () => {
  const clone = await cloneDatabase()
  drop = clone.drop
  connection = connect(clone.address, createLog('silent'), { max: 1 })
})
afterAll(async () => {
  await connection.close()
  await drop()
})

/** Foreign keys without an index. An index serves one if it starts with its columns and omits only rows where they are null. */
const unserved = `
  select c.conrelid::regclass || ' (' || string_agg(a.attname, ', ' order by k.place) || ')' as reference
  from pg_constraint c
  cross join unnest(c.conkey) with ordinality as k (attnum, place)
  join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum
  where c.contype = 'f' and c.connamespace = 'public'::regnamespace
    and not exists (
      select from pg_index i where i.indrelid = c.conrelid and i.indisvalid
        and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
        and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$'))
  group by c.oid, c.conrelid order by 1`

it('has an index behind every foreign key, so that deletes never scan a table', async () => {
  const { rows } = await connection.pool.query<{ reference: string }>(unserved)
  expect(rows.map(({ reference }) => reference)).toEqual([])
})

it('has no index on stored events that no query uses', async () => {
  const { rows } = await connection.pool.query<{ name: string }>(
    "select indexname as name from pg_indexes where tablename = 'run_events' order by 1",
  )
  // Events are queried by run and by session.
  expect(rows.map(({ name }) => name)).toEqual(['run_events_pkey', 'run_events_session'])
})
