import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Document } from '../../src/shared/knowledge/documents/documents.ts'
import { accountAt, signUp } from '../support/account.ts'
import { cleanAfterEach } from '../support/cleanups.ts'
import { type Product, startProduct } from '../support/product.ts'
import { readPlan } from './random.ts'

const plan = readPlan(4)
const { afterwards, aFolder } = cleanAfterEach()

/** Builds a text with this many passages, one per paragraph. */
const aText = (about: string, paragraphs: number) =>
  Array.from(
    { length: paragraphs },
    (_, at) => `${about} ${at}. ${'The price rose because of the labour index. '.repeat(18)}`,
  ).join('\n\n')

const files = [
  ...Array.from({ length: 6 }, (_, at) => ({ name: `text ${at}.txt`, content: aText(`Lot ${at}`, 12) })),
  ...Array.from({ length: 2 }, (_, at) => ({ name: `broken ${at}.bin`, content: `\0\u0001\0${at}` })),
]

async function upload(
  url: string,
  token: string,
  { name, content }: (typeof files)[number],
): Promise<Document> {
  const form = new FormData()
  form.set('file', new Blob([content]), name)
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/api/v1/documents/upload`, { method: 'POST', headers, body: form })
  if (!answer.ok) throw new Error(`the upload answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Document
}

describe('documents being processed', () => {
  it(`complete or fail with a reason after ${plan.count} kills, and are split and embedded once [IN-08]`, {
    timeout: 180_000 + plan.count * 10_000,
  }, async () => {
    const dataDir = aFolder('documents')
    let product: Product = await startProduct({ dataDir, entry: 'src/server/main.ts' })
    afterwards(() => product.kill())
    const { token } = await signUp(product.url)
    const account = () => accountAt(product.url, token)
    for (const file of files) await upload(product.url, token, file)
    for (let round = 0; round < plan.count; round++) {
      await sleep(200 + plan.random() * 2_500)
      await product.kill()
      product = await startProduct({ dataDir, entry: 'src/server/main.ts' })
    }
    const list = async () => (await account().call<{ items: Document[] }>('GET', '/documents')).items
    const restarted = Date.now()
    const isOver = ({ status }: Document) => status === 'completed' || status === 'failed'
    const isStuck = (document: Document) =>
      document.status === 'in_progress' && Date.parse(document.updated_at) < restarted
    await expect.poll(async () => (await list()).filter(isStuck), { timeout: 30_000 }).toEqual([])
    await expect
      .poll(async () => (await list()).filter(isOver).length, { timeout: 120_000 })
      .toBe(files.length)
    for (const { id, name, status, failure } of await list()) {
      if (name.startsWith('broken')) expect([status, failure?.code]).toEqual(['failed', 'unsupported'])
      else expect([status, failure]).toEqual(['completed', null])
      if (status === 'failed') continue
      type Chunks = { chunks: { text: string; has_embeddings: boolean }[]; total: number }
      const { chunks, total } = await account().call<Chunks>('GET', `/documents/${id}/chunks`)
      expect([chunks.length, total, chunks.every((chunk) => chunk.has_embeddings)]).toEqual([12, 12, true])
      expect(new Set(chunks.map(({ text }) => text)).size).toBe(12)
    }
  })
})
