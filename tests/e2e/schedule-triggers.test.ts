import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signMessage } from '../../src/server/platform/signatures/signatures.ts'
import { type Account, accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { says } from '../support/model-server.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 60_000 }

const folder = mkdtempSync(join(tmpdir(), 'atrium-leases-'))
let journey: Journey
/** Administrator of the installation. */
let admin: Account
beforeAll(async () => {
  journey = await startJourney({
    env: { ATRIUM_CONNECTOR_FOLDERS: folder, ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' },
  })
  admin = accountAt(journey.url, await journey.signUp('root'), 'root')
})
afterAll(async () => {
  await journey.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => journey.fresh())

const t = (key: string, language: 'en' | 'fr' = 'en', values: Record<string, string> = {}) =>
  words(language, 'schedules', key, values)

async function picture(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/triggers-${name}.png` })
}

const looks = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

describe('schedules that start on a call', () => {
  it('have an address and a secret, and “Send a test” shows the run that it starts [TG-07]', async () => {
    const token = await journey.signUp('sol')
    const page = await journey.open('/schedules/create', { token, width: 1280, height: 900 })
    await page.getByRole('textbox', { name: t('field.name') }).fill('Invoice blocked')
    await page.getByRole('button', { name: t('start.call'), exact: true }).click()
    await page.getByRole('textbox', { name: t('field.text') }).fill('Why is {{invoice}} blocked?')
    await page.getByRole('button', { name: t('create'), exact: true }).click()
    await page.waitForURL(/\/schedules\/[0-9a-f-]{36}$/, WAIT)
    const address = await page.getByRole('textbox', { name: t('call.address') }).inputValue()
    await page.getByText(t('call.no_secret')).waitFor(WAIT)
    await page.getByRole('button', { name: t('call.make_secret') }).click()
    const secret = await page
      .getByRole('dialog')
      .getByRole('textbox', { name: t('call.secret') })
      .inputValue()
    await page.getByRole('button', { name: t('call.secret_done') }).click()
    await page.getByRole('button', { name: t('call.renew_secret') }).waitFor(WAIT)
    await picture(page, 'settings-light-1280')
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])

    await page.getByRole('tab', { name: t('section.deliveries') }).click()
    await page.getByText(t('deliveries.empty')).waitFor(WAIT)
    journey.model.reply([says('Its price differs from the contract.')])
    await page.getByRole('button', { name: t('test.send') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: t('test.data') }).fill('{"invoice"')
    await dialog.getByRole('button', { name: t('test.send') }).click()
    await dialog.getByText(t('test.no_json')).waitFor(WAIT)
    await picture(page, 'test-light-1280')
    await dialog
      .getByRole('textbox', { name: t('test.data') })
      .fill('{"invoice": "F-2026-0781", "token": "hidden"}')
    await dialog.getByRole('button', { name: t('test.send') }).click()
    const started = page.getByRole('region', { name: t('deliveries.run') })
    await started.getByText('Its price differs from the contract.').waitFor(WAIT)
    await started.getByText(t('slot.completed')).waitFor(WAIT)
    await picture(page, 'run-light-1280')
    expect(await runAxe(page)).toEqual([])
    expect(JSON.stringify(journey.model.requests.at(-1)?.messages)).toContain('F-2026-0781')
    expect(JSON.stringify(journey.model.requests.at(-1)?.messages)).not.toContain('hidden')
    await started.getByRole('link', { name: t('log.open_chat') }).click()
    await page.getByRole('heading', { name: 'Invoice blocked', level: 1 }).waitFor(WAIT)

    const send = async (key: string) => {
      const body = JSON.stringify({ invoice: 'F-2026-0779' })
      const signed = signMessage({ id: randomUUID(), at: new Date(), body }, [key])
      const headers = { ...signed, 'content-type': 'application/json' }
      return (await fetch(address, { method: 'POST', headers, body })).status
    }
    expect([await send(secret), await send('whsec_AAAA')]).toEqual([202, 401])
    const path = `/schedules/${address.split('/').at(-2)}`
    for (const [theme, width] of looks) {
      const list = await journey.open(path, { token, theme, width, height: 900 })
      await list.getByRole('textbox', { name: t('call.address') }).waitFor(WAIT)
      await picture(list, `settings-${theme}-${width}`)
      expect(await list.evaluate<number>(overflow)).toBe(0)
      await list.getByRole('tab', { name: t('section.deliveries') }).click()
      await list.locator('main ol > li').nth(2).waitFor(WAIT)
      await picture(list, `deliveries-${theme}-${width}`)
      expect(await list.evaluate<number>(overflow)).toBe(0)
      await list.locator('main ol > li').nth(2).getByRole('button').click()
      await list.getByRole('button', { name: t('deliveries.replay') }).waitFor(WAIT)
      await picture(list, `delivery-${theme}-${width}`)
      await list.context().close()
    }
    expect(journey.errors).toEqual([])
  })

  it('can follow a document of a project or a run, and say what is missing', async () => {
    const token = await journey.signUp('fay', 'fr')
    await accountAt(journey.url, token).call('POST', '/workspaces', { name: 'Contrats' })
    const page = await journey.open('/schedules/create', { token, language: 'fr', width: 390, height: 900 })
    await page.getByRole('textbox', { name: t('field.name', 'fr') }).fill('Nouveaux contrats')
    await page.getByRole('textbox', { name: t('field.text', 'fr') }).fill('Résume le document.')
    await page.getByRole('button', { name: t('start.run', 'fr'), exact: true }).click()
    await picture(page, 'run-fr-390')
    await page.getByRole('button', { name: t('start.document', 'fr'), exact: true }).click()
    await page.getByRole('button', { name: t('create', 'fr'), exact: true }).click()
    await page.getByText(t('needed', 'fr')).waitFor(WAIT)
    const project = page.getByRole('combobox', { name: t('field.project', 'fr') })
    await expect.poll(() => project.getByRole('option').count(), WAIT).toBeGreaterThan(1)
    await page.getByRole('button', { name: t('document_of.source', 'fr'), exact: true }).click()
    await page.getByText(t('no_sources', 'fr')).waitFor(WAIT)
    await page.getByRole('link', { name: t('connect_source', 'fr') }).waitFor(WAIT)
    await page.getByRole('button', { name: t('document_of.project', 'fr'), exact: true }).click()
    await expect.poll(() => project.getByRole('option').count(), WAIT).toBeGreaterThan(1)
    await project.selectOption({ index: 1 })
    await page.getByRole('button', { name: t('create', 'fr'), exact: true }).click()
    await page.waitForURL(/\/schedules\/[0-9a-f-]{36}$/, WAIT)
    await page.getByRole('tab', { name: t('section.deliveries', 'fr') }).click()
    await page.getByText(t('deliveries.empty', 'fr')).waitFor(WAIT)
    await picture(page, 'document-fr-390')
    expect(journey.errors).toEqual([])
  })

  it('can follow a document of a source, chosen by keyboard [TG-01]', async () => {
    type Me = { id: string; company_affiliations: { company: { id: string } }[] }
    const { id, company_affiliations } = await admin.call<Me>('GET', '/users/me')
    const { id: connector } = await admin.call<{ id: string }>('POST', '/connectors', {
      ...{ source: 'folder', name: 'Leases', company_id: company_affiliations[0]?.company.id },
      ...{ settings: { path: folder }, selection: {}, rights: 'named', every_minutes: 1440 },
      readers: [{ kind: 'person', id }],
    })
    const page = await journey.open('/schedules/create', { token: admin.token, height: 900 })
    await page.getByRole('textbox', { name: t('field.name') }).fill('New leases')
    await page.getByRole('textbox', { name: t('field.text') }).fill('Summarize the document.')
    await page.getByRole('button', { name: t('start.document'), exact: true }).press('Enter')
    await page.getByRole('button', { name: t('document_of.source'), exact: true }).press('Enter')
    await page.getByRole('button', { name: t('create'), exact: true }).press('Enter')
    await page.getByText(t('needed')).waitFor(WAIT)
    const source = page.getByRole('combobox', { name: t('field.source') })
    await expect.poll(() => source.getByRole('option').count(), WAIT).toBe(2)
    await source.press('L')
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])
    await page.getByRole('button', { name: t('create'), exact: true }).press('Enter')
    await page.waitForURL(/\/schedules\/[0-9a-f-]{36}$/, WAIT)
    const schedule = page.url()
    for (const [theme, width] of looks) {
      const form = await journey.open(new URL(schedule).pathname, {
        token: admin.token,
        theme,
        width,
        height: 900,
      })
      await expect
        .poll(() => form.getByRole('combobox', { name: t('field.source') }).inputValue(), WAIT)
        .toBe(connector)
      await picture(form, `source-${theme}-${width}`)
      expect(await form.evaluate<number>(overflow)).toBe(0)
      await form.context().close()
    }
    journey.model.always([says('The lease costs 900 euros.')])
    writeFileSync(join(folder, 'lease.md'), '# Lease\nIt costs 900 euros.')
    await admin.call('POST', `/connectors/${connector}/sync`)
    const { pathname } = new URL(schedule)
    const started = async () =>
      (await admin.call<{ started: number }>('GET', `${pathname}/deliveries`)).started
    await expect.poll(started, { timeout: 90_000, interval: 500 }).toBe(1)
    await page.getByRole('tab', { name: t('section.deliveries') }).click()
    await page.locator('main ol > li').filter({ hasText: 'lease.md' }).waitFor(WAIT)
    expect(journey.errors).toEqual([])
  })
})
