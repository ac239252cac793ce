import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import type { Document } from '../../src/shared/knowledge/documents/documents.ts'
import { accountAt } from '../support/account.ts'
import { cleanAfterEach } from '../support/cleanups.ts'
import { startProduct } from '../support/product.ts'
import { copyCheckout } from '../support/product-copy.ts'
import { aPerson, finishedReply } from './person.ts'

const { afterwards, aFolder } = cleanAfterEach()

const NOBODY = '65534'
const asNobody = ['setpriv', '--reuid', NOBODY, '--regid', NOBODY, '--clear-groups', '--']
const canBeNobody = process.getuid?.() === 0 && existsSync('/usr/bin/setpriv')

/** File names from which tools load executable configuration. */
const programs = [
  ...['.graphile-workerrc.cjs', '.graphile-workerrc.js', 'graphile-worker.config.cjs', 'graphile.config.js'],
  ...['.config/graphile-workerrc.cjs', '.config/config.cjs', 'tasks/job.js', 'tailwind.config.js'],
  ...['.postcssrc.cjs', '.postcssrc.js', 'postcss.config.cjs', 'postcss.config.js', 'postcss.config.mjs'],
  ...['vite.config.js', 'vite.config.mjs', 'vitest.config.js', 'babel.config.js', '.babelrc.cjs'],
  ...['rolldown.config.js', 'browserslist.config.cjs', '.pnpmfile.cjs', 'node_modules/pg-native/index.js'],
  ...['babel.config.cjs', '.babelrc.js', '.config/vite.config.js', '.config/postcssrc.cjs', 'knip.config.js'],
  ...['fsevents', 'bufferutil', 'utf-8-validate', 'canvas'].map((name) => `node_modules/${name}/index.js`),
]
const texts: Record<string, string> = {
  'package.json': JSON.stringify({ workspaces: ['*'], postcss: { plugins: { './trap.cjs': {} } } }),
  'pnpm-workspace.yaml': 'packages: ["*"]\n',
  'deno.json': '{ "workspace": ["*"] }',
  'tsconfig.json': '{ "extends": "./nowhere.json", "compilerOptions": { "target": "bogus" } }',
  '.browserslistrc': 'ie 6\n',
  '.babelrc': '{ "plugins": ["./trap.cjs"] }',
  '.npmrc': 'script-shell=/nowhere\nignore-scripts=true\n',
  'biome.json': '{ "root": true, "linter": "nonsense" }',
  '.env.production': 'VITE_API_BASE=/nowhere\n',
  '.env': 'HOST=256.0.0.1\nATRIUM_LOG_LEVEL=nonsense\n',
  '.ignore': '*\n',
  '.gitignore': '*\n',
  crontab: '* * * * * trap\n',
}

/** Fills a folder with configuration files. Each executable one creates the file `marker`. */
function plant(folder: string, marker: string): void {
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const trap = (fs: string) => `${fs}.writeFileSync(${JSON.stringify(marker)}, __filename)\n`
  for (const name of programs)
    put(
      name,
      name.endsWith('.mjs')
        ? `import * as fs from 'node:fs'; const __filename = '${name}'; ${trap('fs')}; export default {}`
        : `${trap("require('node:fs')")} module.exports = {}`,
    )
  for (const [name, text] of Object.entries(texts)) put(name, text)
}

it.runIf(canBeNobody)(
  'builds and starts as an unprivileged user below folders of others, without reading or running their files',
  { timeout: 240_000 },
  async () => {
    const top = aFolder('foreign')
    const parent = join(top, 'parent')
    const root = join(parent, 'checkout')
    const open = join(top, 'open')
    const marker = join(open, 'ran')
    for (const folder of [parent, open]) mkdirSync(folder)
    chmodSync(open, 0o777)
    mkdirSync(join(top, '.config'), { mode: 0o700 })
    plant(parent, marker)
    copyCheckout(root)
    execFileSync('chown', ['-RP', `${NOBODY}:${NOBODY}`, root])
    for (const folder of [top, parent]) chmodSync(folder, 0o755)

    const env = { HOME: join(top, '.config'), NODE_COMPILE_CACHE: '', TMPDIR: open }
    const product = await startProduct({
      ...{ root, env, dataDir: join(root, 'data'), timeoutMs: 180_000 },
      prefix: ['nice', '-n', '15', ...asNobody],
    })
    afterwards(() => product.kill())
    const sheets = globSync('dist/web/assets/*.css', { cwd: root })
    expect(sheets.map((name) => readFileSync(join(root, name), 'utf8')).join()).toMatch(/\.flex\{/)

    // The server may not inspect another user's programs, so it requires the code.
    const options = await fetch(`${product.url}/api/v1/sign-in-options`)
    expect(await options.json()).toMatchObject({ setup_code_required: true })
    const setupCode = readFileSync(join(root, 'data', 'setup-code'), 'utf8').trim()
    const person = await aPerson(() => product.url, 'ada', setupCode)
    const chat = await person.newSession()
    await person.send(chat, 'What is a lease?')
    expect(await finishedReply(person, chat, 60_000)).toMatchObject({ status: 'completed' })
    const form = new FormData()
    form.set('file', new Blob(['# Rent\n\nThe rent is due on the first of the month.']), 'rent.md')
    const upload = { method: 'POST', headers: person.headers, body: form }
    const { id } = (await (await fetch(`${product.url}/api/v1/documents/upload`, upload)).json()) as Document
    const account = accountAt(product.url, person.headers.authorization.replace('Bearer ', ''))
    const status = async () => (await account.call<Document>('GET', `/documents/${id}`)).status
    await expect.poll(status, { timeout: 90_000 }).toMatch(/completed|failed/)
    type Chunks = { chunks: { has_embeddings: boolean }[] }
    const { chunks } = await account.call<Chunks>('GET', `/documents/${id}/chunks`)
    expect(chunks.map(({ has_embeddings }) => has_embeddings)).toEqual([true])

    await product.stop()
    expect(product.output()).not.toMatch(/EACCES|at .*\.ts:\d+/)
    expect(existsSync(marker) && readFileSync(marker, 'utf8')).toBe(false)
  },
)
