import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser } from '#tests/builders.ts'
import { aReader, type Reader } from '#tests/documents.ts'

let app: TestApp
let ada: Reader
let shared: string
beforeAll(async () => {
  app = await startApp()
  const base = `${await app.listen()}/api/v1`
  const [first, second, other] = [
    await aCompany(app),
    await aCompany(app, 'Atlas'),
    await aCompany(app, 'Nord'),
  ]
  ada = await aReader(app, base, await aUser(app, { role: 'member', companyId: first }))
  await sql`insert into company_members (company_id, user_id, role) values (${second}, ${ada.user.id}, 'member')`.execute(
    app.deps.db,
  )
  const colleague = await aUser(app, { role: 'member', companyId: first })
  await add(ada.user.id, [null, first, second])
  await add(colleague.id, [first, second, other, null])
  shared = first
  await place()
})
afterAll(() => app.close())

type Row = {
  id: string
  name: string
  size: number
  status: string
  is_starred: boolean
  language: string | null
}
type Shown = Row & {
  type: string
  workspace: string | null
  created_at: Date
  mine: boolean
  company_id: string | null
}

/** Inserts twenty documents per company; many share their sort values. */
async function add(userId: string, companies: (string | null)[]): Promise<void> {
  await sql`
    with numbers as (
      select n, company, gen_random_uuid() as blob_id, gen_random_uuid() as reading_id,
        (array['pdf', 'docx', 'txt'])[1 + n % 3] as format, (array['completed', 'failed'])[1 + (n % 5 = 0)::int] as status,
        (array['en', 'fr', null])[1 + n % 3 + (n = 5)::int] as language
      from generate_series(1, 20) as n, unnest(${companies}::uuid[]) as company
    ), files as (
      insert into blobs (id, user_id, sha256, size, file_key)
      select blob_id, ${userId}, blob_id::text, 1, blob_id::text from numbers
    ), read as (
      insert into readings (id, blob_id, user_id, pipeline, name, status, format, language)
      select reading_id, blob_id, ${userId}, 'normal', 'file', status, format, language from numbers
    )
    insert into documents (user_id, company_id, name, extension, size, reading_id, is_starred, tags, status, format, language, created_at)
    select ${userId}, company, (array['Über', 'offer', 'Plan'])[1 + n % 3] || ' ' || n % 7, format, n % 4, reading_id,
      n % 6 = 0, case when n % 4 = 0 then '{Lots}'::text[] else '{}' end, status, format, language, now() - n % 9 * interval '1 day'
    from numbers`.execute(app.deps.db)
}

/** Adds some of her documents to two workspaces, some to one, most to none. */
async function place(): Promise<void> {
  await sql`insert into workspaces (user_id, name) values (${ada.user.id}, 'beta'), (${ada.user.id}, 'Alpha')`.execute(
    app.deps.db,
  )
  await sql`
    insert into workspace_documents (workspace_id, document_id)
    select w.id, d.id from workspaces w join documents d on d.user_id = w.user_id
    where (w.name = 'beta' and d.size = 0) or (w.name = 'Alpha' and d.size = 0 and d.is_starred) or (w.name = 'Alpha' and d.size = 3)`.execute(
    app.deps.db,
  )
}

/** Returns all documents she may read, with one plain statement. */
async function expected(order: string): Promise<Shown[]> {
  const { rows } = await sql<Shown>`
    select d.*, d.format as type, d.user_id = ${ada.user.id} as mine,
      (select min(lower(w.name)) from workspaces w join workspace_documents wd on wd.workspace_id = w.id
        where wd.document_id = d.id and w.user_id = ${ada.user.id}) as workspace
    from documents d
    where d.user_id = ${ada.user.id} or d.company_id in (select company_id from company_members where user_id = ${ada.user.id})
    order by ${sql.raw(order)}`.execute(app.deps.db)
  return rows
}

async function allPages(query: string, limit: number) {
  const pages: { items: Row[]; total: number; has_more: boolean }[] = []
  do pages.push((await ada.call('GET', `/documents?${query}&limit=${limit}&page=${pages.length + 1}`)).body)
  while (pages.at(-1)?.has_more)
  return {
    ids: pages.flatMap(({ items }) => items.map(({ id }) => id)),
    totals: pages.map(({ total }) => total),
  }
}

const columns = {
  ...{ date: 'd.created_at', name: 'lower(d.name)', size: 'd.size', type: 'd.format', status: 'd.status' },
  ...{ workspace: 'workspace', star: 'd.is_starred', language: 'd.language' },
}
const orders = Object.entries(columns).flatMap(([sort, column]) =>
  (['asc', 'desc'] as const).map((order) => ({ sort, column, order })),
)

describe('pages of the library', () => {
  it.each(orders)(
    'by $sort $order list each readable document once and in order [IN-16]',
    async ({ sort, column, order }) => {
      const place = column === 'workspace' ? '"workspace"' : column
      const sorted = await expected(`${place} ${order} nulls last, d.created_at desc, d.id`)
      expect(sorted).toHaveLength(100)
      const { ids, totals } = await allPages(`sort=${sort}&order=${order}`, 7)
      expect(ids).toEqual(sorted.map(({ id }) => id))
      expect(new Set(totals)).toEqual(new Set([100]))
    },
  )

  it.each([
    ['type=pdf', (row: Shown) => row.type === 'pdf'],
    ['status=failed', (row: Shown) => row.status === 'failed'],
    ['starred=true', (row: Shown) => row.is_starred],
    ['language=fr', (row: Shown) => row.language === 'fr'],
    ['q=ber+3', (row: Shown) => row.name === 'Über 3'],
    ['min_size=2', (row: Shown) => Number(row.size) >= 2],
    [
      'status=failed&language=fr&max_size=2',
      (row: Shown) => row.status === 'failed' && row.language === 'fr' && Number(row.size) <= 2,
    ],
  ] as const)('narrowed to %s list only matching documents, in any order [IN-16]', async (query, isMeant) => {
    const meant = (await expected('d.created_at desc, d.id')).filter(isMeant).map(({ id }) => id)
    expect(meant.length).toBeGreaterThan(0)
    expect((await allPages(query, 5)).ids).toEqual(meant)
    for (const sort of Object.keys(columns)) {
      const { ids, totals } = await allPages(`${query}&sort=${sort}`, 50)
      expect([sort, [...ids].sort(), totals[0]]).toEqual([sort, [...meant].sort(), meant.length])
    }
  })

  it('add up by tag, workspace and month', async () => {
    expect((await allPages('tag=Lots', 50)).ids).toHaveLength(25)
    const { body } = await ada.call('GET', '/workspaces')
    const beta = body.items.find(({ name }: { name: string }) => name === 'beta')
    expect((await allPages(`workspace_id=${beta.id}`, 50)).ids).toHaveLength(15)
    const { body: months } = await ada.call('GET', '/documents/months')
    expect(months.months.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(100)
  })

  it('end after the last document, and drop documents of a company that the user left', async () => {
    expect((await ada.call('GET', '/documents?page=99')).body).toMatchObject({
      items: [],
      total: 100,
      has_more: false,
    })
    expect((await ada.call('GET', '/documents?page=99&sort=type')).body).toMatchObject({
      items: [],
      total: 100,
    })
    await sql`delete from company_members where company_id = ${shared} and user_id = ${ada.user.id}`.execute(
      app.deps.db,
    )
    expect((await ada.call('GET', '/documents')).body.total).toBe(80)
  })
})
