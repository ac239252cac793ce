import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Document } from '../../src/shared/knowledge/documents/documents.ts'
import { accountAt } from '../support/account.ts'
import { cleanAfterEach } from '../support/cleanups.ts'
import { startProduct } from '../support/product.ts'
import { aPerson, finishedReply } from './person.ts'

const { afterwards, aFolder } = cleanAfterEach()
const LARGEST_INSTALLATION_MB = 800

/** Commands see the settings of the machine, not those that npm passed to this test. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))

it('runs as a release after an install without build packages, and builds nothing', {
  timeout: 600_000,
}, async () => {
  const folder = aFolder('release')
  execFileSync(process.execPath, ['scripts/release.ts', folder], { env })
  const [archive = ''] = globSync('atrium-*.tgz', { cwd: folder })
  execFileSync('tar', ['-xzf', archive], { cwd: folder })
  const root = join(folder, archive.replace('.tgz', ''))
  execFileSync('npm', ['ci', '--omit=dev'], { cwd: root, env, stdio: 'pipe' })
  const [size] = execFileSync('du', ['-sm', 'node_modules'], { cwd: root }).toString().split('\t')
  expect(Number(size)).toBeLessThan(LARGEST_INSTALLATION_MB)
  expect(globSync('node_modules/{vite,rolldown,react,vitest,typescript}', { cwd: root })).toEqual([])

  const dataDir = join(folder, 'data')
  const product = await startProduct({ root, dataDir })
  afterwards(() => product.stop())
  expect(product.output()).not.toContain('Build')
  expect(await (await fetch(product.url)).text()).toContain('<div id="root">')

  const person = await aPerson(() => product.url)
  const form = new FormData()
  form.set('file', new Blob(['# Rent\n\nThe rent is due on the first of the month.']), 'rent.md')
  const upload = { method: 'POST', headers: person.headers, body: form }
  const { id } = (await (await fetch(`${product.url}/api/v1/documents/upload`, upload)).json()) as Document
  const account = accountAt(product.url, person.headers.authorization.replace('Bearer ', ''))
  const status = async () => (await account.call<Document>('GET', `/documents/${id}`)).status
  await expect.poll(status, { timeout: 60_000 }).toBe('completed')
  // Vectors of the released model, not of words alone.
  expect(product.output()).not.toContain('atrium/lexical')

  const chat = await person.newSession()
  await person.send(chat, 'What is 6 times 7?')
  expect((await finishedReply(person, chat, 60_000)).content).toContain('42')

  const backup = join(folder, 'backup.tar')
  execFileSync(process.execPath, ['scripts/backup.ts', backup], {
    cwd: root,
    env: { ...env, ATRIUM_DATA_DIR: dataDir },
    stdio: 'pipe',
  })
  expect(existsSync(backup)).toBe(true)
})
