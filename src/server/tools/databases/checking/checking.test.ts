import { describe, expect, it } from 'vitest'
import { hostileStatements } from '#tests/hostile-statements.ts'
import { checkQuery } from './checking.ts'

const tables = [
  { schema: 'erp', name: 'invoices', columns: ['id', 'city', 'amount'] },
  { schema: 'erp', name: 'customers', columns: ['id', 'name', 'city', 'since'] },
]
const kinds = ['postgres', 'mysql', 'sqlite'] as const

describe.each(kinds)('the check of queries for %s', (kind) => {
  it('refuses every hostile statement with a reason', async () => {
    const let_through: string[] = []
    for (const sql of hostileStatements[kind]) {
      const outcome = await checkQuery({ kind, sql, tables }).then(
        (sent) => `${sql.slice(0, 100)} => ${sent.slice(0, 200)}`,
        (error) =>
          error.code === 'invalid' && /refused before/.test(error.detail) ? null : `${sql}: ${error}`,
      )
      if (outcome !== null) let_through.push(outcome)
    }
    expect(let_through).toEqual([])
  })

  it('replaces each table by its allowed columns', async () => {
    const sent = await checkQuery({ kind, sql: 'select * from invoices', tables })
    const plain = sent
      .replaceAll(/["`]/g, '')
      .replaceAll(/\( | \)/g, (one) => one.trim())
      .toLowerCase()
    expect(plain).toBe('select * from (select id, city, amount from erp.invoices) as invoices')
  })

  it.each([
    'select city, sum(amount) as total from invoices group by city having count(*) > 1 order by total desc limit 5 offset 1',
    'with x as (select city, count(*) as n from invoices group by city) select x.city, c.name from x join customers c on c.city = x.city where x.n > 1',
    'with recursive r (n) as (select 1 union all select n + 1 from r where n < 5) select n from r',
    "select i.*, case when amount > 10 then 'big' else 'it''s small' end as size from erp.invoices i left join customers c using (city) where c.since between '2026-01-01' and '2026-02-01' union all select 1, 'x', 2, 'y'",
    'select cast(amount as decimal(10, 2)) as a, round(avg(amount), 2) from invoices where not exists (select 1 from customers c where c.city = invoices.city) group by amount',
    "select coalesce(city, '?') as c, sum(amount) over (partition by city order by id) as s from invoices where city in ('Lyon', 'Nantes') and amount is not null;",
  ])('accepts %s', async (sql) => {
    await expect(checkQuery({ kind, sql, tables })).resolves.toMatch(/^(?:select|with)/i)
  })
})

describe('the check of queries', () => {
  it.each([
    "select date_trunc('month', since)::date as m, extract(year from since), now() - interval '1 day' from customers",
    'select percentile_cont(0.5) within group (order by amount) filter (where amount > 0) from invoices group by rollup (city)',
    'select g.n, lateral_sum.s from generate_series(1, 3) as g(n) cross join lateral (select sum(amount) as s from invoices where id < g.n) as lateral_sum',
    "select distinct on (city) city, trim(both from city), position('a' in city) from invoices where city ilike 'l%' order by city, amount desc nulls last -- newest",
  ])('accepts %s in PostgreSQL', async (sql) => {
    await expect(checkQuery({ kind: 'postgres', sql, tables })).resolves.toMatch(/^SELECT/)
  })

  it.each([
    "select date_format(since, '%Y-%m') as m, since + interval 1 day, extract(month from since), if(id > 1, 1, 0) from customers group by m",
    "select group_concat(distinct city order by city separator ', ') from invoices limit 2, 3",
  ])('accepts %s in MySQL', async (sql) => {
    await expect(checkQuery({ kind: 'mysql', sql, tables })).resolves.toMatch(/^SELECT/)
  })

  it('accepts window functions and cross joins of SQLite', async () => {
    const sql =
      'select a.id, row_number() over (partition by a.city order by a.amount desc) as n from invoices a cross join customers b'
    const sent = await checkQuery({ kind: 'sqlite', sql, tables })
    expect(sent).toContain('FROM (SELECT "id", "city", "amount" FROM "erp"."invoices") AS "a"')
  })

  it('accepts date functions of SQLite', async () => {
    const sql =
      "select strftime('%Y', since) as y, name || '-', julianday(since) from customers where name = 'a' collate nocase"
    await expect(checkQuery({ kind: 'sqlite', sql, tables })).resolves.toMatch(/^SELECT/)
  })

  it('keeps the name of a common table expression apart from a table', async () => {
    const sql =
      'select (select count(*) from salaries) from (with salaries as (select 1 as id) select id from salaries) as x'
    for (const kind of kinds) {
      const sent = await checkQuery({ kind, sql, tables }).catch(() => '')
      expect(sent).not.toMatch(/from [`"]?salaries/i)
    }
  })
})
