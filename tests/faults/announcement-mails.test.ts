import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Announcement } from '../../src/shared/identity/announcements/announcements.ts'
import { type Account, signUp } from '../support/account.ts'
import { type Product, startProduct } from '../support/product.ts'
import { startSmtpServer } from '../support/smtp-server.ts'

const readers = Array.from({ length: 8 }, (_, n) => `reader${n}`)
const dataDir = mkdtempSync(join(tmpdir(), 'atrium-announcement-mails-'))

let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let product: Product
let root: Account
const start = (env: Record<string, string>) =>
  startProduct({ dataDir, entry: 'src/server/main.ts', env: { ATRIUM_LIMIT_MAILS_A_MINUTE: '300', ...env } })

beforeAll(async () => {
  smtp = await startSmtpServer()
  product = await start({ ATRIUM_EMAIL_VERIFICATION: 'off', SMTP_URL: smtp.url })
  root = await signUp(product.url, 'root')
})
afterAll(async () => {
  await product.stop()
  smtp.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Asks for the mail that proves an address, and opens its link. */
async function proveAddress(token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const me = (await (await fetch(`${product.url}/api/v1/users/me`, { headers })).json()) as { email: string }
  await fetch(`${product.url}/api/v1/users/resend-verification-email`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ email: me.email }),
  })
  const mail = () =>
    smtp.said().replace(/=\r\n/g, '').replaceAll('=3D', '=').split(`RCPT TO:<${me.email}>`).at(1)
  const findProof = () => /verify-email\?token=([\w-]+)/.exec(mail() ?? '')?.[1]
  await expect.poll(findProof, { timeout: 10_000 }).toBeTruthy()
  const proof = findProof()
  const opened = await fetch(`${product.url}/api/v1/users/verify-email?token=${proof}`, { method: 'POST' })
  expect(opened.status).toBe(200)
}

it('mails each reader once at most when the server is killed while a mail is on its way', {
  timeout: 180_000,
}, async () => {
  for (const name of readers) await proveAddress((await signUp(product.url, name)).token)
  const before = smtp.reached().length
  const reached = () => smtp.reached().slice(before)
  await root.call('POST', '/admin/announcements', {
    ...{ tone: 'news', text_en: 'Closed on Sunday.', text_fr: null, link: null, by_mail: true },
    ...{ audience: { company_ids: [], group_ids: [], roles: [] }, starts_at: null },
    ends_at: new Date(Date.now() + 86_400_000).toISOString(),
  })
  await expect.poll(() => reached().length, { timeout: 20_000, interval: 20 }).toBeGreaterThan(2)
  smtp.mute(true)
  const taken = reached().length
  // The mail server takes this mail, and its answer is lost.
  await expect.poll(() => reached().length, { timeout: 20_000, interval: 20 }).toBeGreaterThan(taken)
  await product.kill()
  smtp.mute(false)
  product = await start({ SMTP_URL: smtp.url, ATRIUM_EMAIL_VERIFICATION: 'off' })
  const mails = async () => {
    const headers = { authorization: `Bearer ${root.token}` }
    const answer = await fetch(`${product.url}/api/v1/admin/announcements`, { headers })
    return ((await answer.json()) as { items: Announcement[] }).items[0]?.mails
  }
  await expect
    .poll(mails, { timeout: 90_000, interval: 250 })
    .toMatchObject({ waiting: 0, unknown: 1, failed: 0, sent: readers.length - 1 })
  expect(reached().sort()).toEqual([...new Set(reached())].sort())
  expect(reached()).toHaveLength(readers.length)
})
