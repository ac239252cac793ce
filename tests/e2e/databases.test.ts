import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { startCompanyPostgres } from '../support/company-postgres.ts'
import { type CountingFront, startCountingFront } from '../support/counting-front.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { calls, says } from '../support/model-server.ts'

let journey: Journey
let company: Awaited<ReturnType<typeof startCompanyPostgres>>
let front: CountingFront
let root: string
beforeAll(async () => {
  company = await startCompanyPostgres()
  await company.owner.query(`
    create table invoices (id int primary key, city text, amount numeric(12,2), iban text);
    comment on table invoices is 'One row per invoice';
    insert into invoices select n, (array['Lyon', 'Nantes', 'Metz', 'Rennes'])[1 + n % 4], n * 3.5, 'FR76' || n
      from generate_series(1, 900) n;
    create role reader login password 'secret'; create role writer login password 'secret';
    grant select on invoices to reader; grant select, update on invoices to writer;`)
  front = await startCountingFront(company.port)
  journey = await startJourney({ env: { ATRIUM_DATABASE_HOSTS: '127.0.0.1' } })
  root = await journey.signUp('root')
}, 120_000)
afterEach(() => expect(journey.errors).toEqual([]))
afterAll(async () => {
  await journey?.close()
  await front?.close()
  await company?.close()
})

const say = (key: string, values?: Record<string, string>) => words('en', 'databases', key, values as never)
const tool = (key: string) => words('en', 'tool_ui', `query_database.${key}`)
const field = (page: Page, key: string) => page.getByRole('textbox', { name: say(key), exact: true })

/** Keeps a screenshot for a look at the pages, where `ATRIUM_SHOTS` names a folder. */
async function shoot(page: Page, name: string) {
  const folder = process.env.ATRIUM_SHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/databases-${name}.png` })
}

describe('databases', () => {
  it('are connected with a role that only reads, and their tables are chosen', async () => {
    const page = await journey.open('/admin?page=databases', { token: root, width: 1280 })
    await page.getByText(say('none')).waitFor()
    await page.getByRole('button', { name: say('connect') }).click()
    await page.getByRole('textbox', { name: say('name') }).fill('ERP')
    await field(page, 'host').fill('127.0.0.1')
    await page.getByRole('spinbutton', { name: say('port') }).fill(String(front.port))
    await field(page, 'database').fill('postgres')
    await field(page, 'role').fill('writer')
    await page.locator('input[type=password]').fill('secret')
    await page.getByRole('combobox', { name: say('encryption') }).selectOption('off')
    await page.getByRole('button', { name: say('test'), exact: true }).click()
    await page.getByText('UPDATE on public.invoices').waitFor()
    await shoot(page, 'refused')
    await page.getByRole('button', { name: say('test_and_connect') }).click()
    await page.getByText(/may do more than read: UPDATE on public\.invoices/).waitFor()
    await field(page, 'role').fill('reader')
    await page.getByRole('button', { name: say('test_and_connect') }).click()
    await page.getByRole('checkbox', { name: 'public.invoices' }).check()
    await page.getByRole('button', { name: /Columns of public\.invoices/ }).click()
    await page.getByRole('checkbox', { name: /^iban/ }).uncheck()
    await page.getByRole('textbox', { name: 'Sample values of city' }).fill('Lyon; Nantes')
    await shoot(page, 'tables')
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])
    await page.getByRole('button', { name: say('save') }).click()
    await page.getByRole('button', { name: '1 table' }).waitFor()
    await shoot(page, 'list')
  })

  it('answer a question with a cited table that is sorted, charted, edited and run again [DB-02, DB-04, DB-05]', async () => {
    const account = accountAt(journey.url, root, 'root')
    const { items } = await account.call<{ items: { id: string }[] }>('GET', '/admin/databases')
    await account.call('PUT', '/admin/grants', {
      ...{ kind: 'database', id: items[0]?.id, decided_by: null, refuse: [] },
      allow: [{ who: 'role', id: 'super_admin' }],
    })
    const sql = 'select city, sum(amount) as total, count(*) as n from invoices group by city order by city'
    journey.model.always(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? [says('Rennes has the highest total with 355,950 [1].')]
        : [calls('query_database', { database: 'ERP', sql })],
    )
    const page = await journey.open('/', { token: root, width: 1280 })
    const composer = page.locator('textarea').first()
    await composer.fill('Which city has the highest total?')
    await composer.press('Enter')
    const citation = page.getByRole('button', { name: /^Query 1: ERP/ })
    await citation.waitFor()
    await page
      .getByText(/select city, sum\(amount\)/)
      .first()
      .waitFor()
    const cities = () => page.locator('tbody tr td:first-child').allTextContents()
    expect(await cities()).toEqual(['Lyon', 'Metz', 'Nantes', 'Rennes'])
    await shoot(page, 'answer')
    await page.getByRole('button', { name: 'total', exact: true }).click()
    await page.getByRole('button', { name: 'total', exact: true }).click()
    const [first] = await cities()
    const { rows } = await company.owner.query(
      'select city from invoices group by city order by sum(amount) desc limit 1',
    )
    expect(first).toBe(rows[0].city)
    await page.getByRole('button', { name: tool('chart') }).click()
    await page.getByRole('combobox', { name: tool('measure') }).selectOption({ label: 'total' })
    await shoot(page, 'chart')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: tool('save'), exact: true })
        .click()
        .then(() => page.getByRole('menuitem', { name: tool('xlsx') }).click()),
    ])
    expect(download.suggestedFilename()).toMatch(/\.xlsx$/)
    // The code interpreter of the chat gets the rows as a file.
    const sessionId = new URL(page.url()).pathname.split('/').at(-1)
    const program = "import glob\nprint(open(glob.glob('ERP-*.csv')[0]).read().split()[0])"
    const started = await account.call<{ tool_execution_id: string }>(
      'POST',
      '/tools/code_interpreter/execute',
      { inputs: { request: `\`\`\`python\n${program}\n\`\`\`` }, session_id: sessionId },
    )
    const read = () =>
      account.call<{ result: unknown }>('GET', `/tool-executions/${started.tool_execution_id}`)
    await expect
      .poll(async () => JSON.stringify((await read()).result), { timeout: 60_000 })
      .toContain('city,total,n')
    await citation.click()
    const panel = page.locator('aside, [role=complementary]').last()
    await panel.getByText(/4 rows · read .+ · \d+ ms/).waitFor()
    await panel.getByText(sql).first().waitFor()
    await panel.getByRole('cell', { name: 'Rennes' }).first().waitFor()
    await shoot(page, 'citation')
    await panel.getByRole('tab', { name: /input/i }).click()
    await panel.getByRole('button', { name: words('en', 'streaming_blocks', 'artifact.edit') }).click()
    front.reset()
    const wider = 'select a.id from invoices a cross join invoices b'
    await panel.getByRole('textbox').last().fill(wider)
    await panel
      .getByRole('button', { name: words('en', 'streaming_blocks', 'artifact.run'), exact: true })
      .click()
    await panel.getByText(/10,000 rows/).waitFor({ timeout: 20_000 })
    await panel.getByText(tool('cut')).first().waitFor()
    expect(front.said()).toContain('begin read only; set local statement_timeout = 30000')
    await shoot(page, 'edited')
  })

  it('fit a phone in the dark', async () => {
    const page = await journey.open('/admin?page=databases', {
      token: root,
      width: 390,
      height: 844,
      theme: 'dark',
    })
    await page.getByText('ERP').first().waitFor()
    await shoot(page, 'list-390-dark')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await page.getByRole('button', { name: say('connect') }).click()
    await field(page, 'host').waitFor()
    await shoot(page, 'form-390-dark')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })
})
