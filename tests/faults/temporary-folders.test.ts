import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { signUp } from '../support/account.ts'
import { startProduct } from '../support/product.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'atrium-temporary-'))
const tmp = mkdtempSync(join(tmpdir(), 'atrium-tmp-'))
afterAll(() => {
  for (const folder of [dataDir, tmp]) rmSync(folder, { recursive: true, force: true })
})

const entries = (folder: string) => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
const start = () => startProduct({ dataDir, entry: 'src/server/main.ts', env: { TMPDIR: tmp } })

it('copies of documents are removed by the start after a kill', {
  timeout: 120_000,
}, async () => {
  let product = await start()
  const { token } = await signUp(product.url)
  for (let round = 0; round < 3; round += 1) {
    const form = new FormData()
    // Enough rows for some seconds of parsing.
    const rows = Array.from({ length: 60_000 }, (_, n) => `heron ${round} ${n},${n}`).join('\n')
    form.set('file', new Blob([rows]), `herons-${round}.txt`)
    const headers = { authorization: `Bearer ${token}` }
    await fetch(`${product.url}/api/v1/documents/upload`, { method: 'POST', headers, body: form })
    await expect
      .poll(() => entries(join(dataDir, 'work')), { timeout: 30_000, interval: 2 })
      .toContainEqual(expect.stringMatching(/^read-/))
    const left = entries(join(dataDir, 'work'))
    await product.kill()
    expect(entries(join(dataDir, 'work'))).toEqual(left)
    product = await start()
    expect(entries(join(dataDir, 'work')).filter((name) => left.includes(name))).toEqual([])
  }
  await product.stop()
  expect(entries(join(dataDir, 'work'))).toEqual([])
  expect(entries(tmp)).toEqual([])
})
