import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import { afterAll, beforeAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'atrium-stacks-'))
const built = join(folder, 'built')
const program = `
import { mapStacks } from '${new URL('map-stacks.ts', import.meta.url).href}'
mapStacks(new URL('${pathToFileURL(built).href}/'))
const { fail } = await import('${pathToFileURL(built).href}/fail.js')
try { fail() } catch (error) { console.log(error.stack) }`

beforeAll(async () => {
  writeFileSync(
    join(folder, 'fail.ts'),
    'type Unused = 1\n\nexport const fail = () => {\n  throw new Error("lost")\n}\n',
  )
  await build({ input: join(folder, 'fail.ts'), output: { dir: built, sourcemap: true }, logLevel: 'warn' })
})
afterAll(() => rmSync(folder, { recursive: true }))

const stack = () =>
  execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).split('\n')

it('names the source of a built file in a stack trace', () => {
  const [head, first = '', second = ''] = stack()
  expect(head).toBe('Error: lost')
  expect(first).toContain('fail.ts:4:9')
  // Code that was not built keeps its place.
  expect(second).toContain('[eval1]:5')
})

it('names the built file where the map is missing', () => {
  rmSync(join(built, 'fail.js.map'))
  expect(stack()[1]).toContain('built/fail.js:')
})
