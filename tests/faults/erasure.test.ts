import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Receipt } from '../../src/shared/lifecycle/erasure/erasure.ts'
import { type Account, PASSWORD, signUp } from '../support/account.ts'
import { type Product, startProduct } from '../support/product.ts'

const CHATS = 60
const DOCUMENTS = 12
const dataDir = mkdtempSync(join(tmpdir(), 'atrium-erasure-'))
const start = () => startProduct({ dataDir, entry: 'src/server/main.ts' })

let product: Product
let ada: Account
beforeAll(async () => {
  product = await start()
  await signUp(product.url, 'root')
  ada = await signUp(product.url, 'ada')
})
afterAll(async () => {
  await product.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const receiptOf = async (token: string): Promise<Receipt> =>
  (await (await fetch(`${product.url}/api/v1/receipts/${token}`)).json()) as Receipt
const filesOfHers = (id: string) =>
  (readdirSync(join(dataDir, 'files'), { recursive: true }) as string[]).filter(
    (name) => name.includes(`${id}/`) || /readings\/.+\/.+/.test(name),
  )

it('resumes an erasure after kill -9 and misses nothing [XE-06]', {
  timeout: 180_000,
}, async () => {
  for (let at = 0; at < CHATS; at++) await ada.call('POST', '/sessions', { title: `Chat ${at}` })
  const form = new FormData()
  for (let at = 0; at < DOCUMENTS; at++) form.append('file', new Blob([`Heron number ${at}.`]), `${at}.txt`)
  const headers = { authorization: `Bearer ${ada.token}` }
  await fetch(`${product.url}/api/v1/documents/upload`, { method: 'POST', headers, body: form })
  const { id } = await ada.call<{ id: string }>('GET', '/users/me')
  expect(filesOfHers(id).length).toBeGreaterThanOrEqual(DOCUMENTS)
  const { token } = await ada.call<{ token: string }>('POST', '/users/me/erasure', {
    ...{ email: 'ada@example.com', current_password: PASSWORD },
  })
  await expect
    .poll(async () => (await receiptOf(token)).counts.chats ?? 0, { interval: 1 })
    .toBeGreaterThan(0)
  await product.kill()
  product = await start()
  const found = (await receiptOf(token)).counts
  console.log(
    `killed after ${found.chats} of ${CHATS} chats and ${found.documents ?? 0} of ${DOCUMENTS} documents`,
  )
  const isGone = async () => [(await receiptOf(token)).counts, filesOfHers(id)]
  await expect
    .poll(isGone, { timeout: 90_000, interval: 200 })
    .toMatchObject([{ chats: CHATS, documents: DOCUMENTS, workspaces: 1 }, []])
})
