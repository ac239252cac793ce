import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { clearFolders, MAX_SILENCE_MS, makeOwnFolder } from './own-folder.ts'

const parent = mkdtempSync(join(tmpdir(), 'atrium-own-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(parent, { recursive: true, force: true })
})

/** Starts another process that creates a folder with a document. */
async function anotherProcess(): Promise<{ folder: string; kill: () => Promise<void> }> {
  const before = new Set(readdirSync(parent))
  const module = JSON.stringify(new URL('own-folder.ts', import.meta.url).href)
  const code = `const { makeOwnFolder } = await import(${module})
    console.log(makeOwnFolder(${JSON.stringify(parent)}, 'read').path)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await new Promise((resolve) => child.stdout.once('data', resolve))
  const folder = join(parent, readdirSync(parent).find((name) => !before.has(name)) ?? '')
  writeFileSync(join(folder, 'file'), 'A copy of a document.')
  const kill = async () => {
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
  }
  return { folder, kill }
}

const clear = (kinds = ['read']) =>
  clearFolders(parent, kinds, { now: Date.now(), unmarkedBefore: Date.now() - 1_000 })

it('removes the folder of a killed process immediately, but never that of a live one', async () => {
  const mine = makeOwnFolder(parent, 'read')
  const [dead, living] = [await anotherProcess(), await anotherProcess()]
  await dead.kill()
  await clear()
  expect([mine.path, dead.folder, living.folder].map((path) => existsSync(path))).toEqual([true, false, true])
  await living.kill()
  await clear(['box'])
  expect(existsSync(living.folder)).toBe(true)
  await clear()
  expect(existsSync(living.folder)).toBe(false)
  await mine.remove()
  expect(existsSync(mine.path)).toBe(false)
})

it('detects a process id reused by another process', async () => {
  const { path, remove } = makeOwnFolder(parent, 'read')
  const earlier = join(parent, path.slice(parent.length + 1).replace(/\.\d+-/, '.1-'))
  mkdirSync(earlier)
  await clear()
  expect(existsSync(earlier)).toBe(false)
  await remove()
})

it('removes folders of another machine after five minutes without activity', async () => {
  const [talking, silent] = [
    join(parent, 'read-00000000.1.1-aaaaaa'),
    join(parent, 'read-00000000.2.2-bbbbbb'),
  ]
  for (const path of [talking, silent]) mkdirSync(path)
  const long = new Date(Date.now() - MAX_SILENCE_MS - 1_000)
  utimesSync(silent, long, long)
  await clear()
  expect([existsSync(talking), existsSync(silent)]).toEqual([true, false])
})

it('removes old folders of versions that did not mark them', async () => {
  const [young, old] = [join(parent, 'read-AbCdEf'), join(parent, 'read-GhIjKl')]
  for (const path of [young, old]) mkdirSync(path)
  utimesSync(old, new Date(0), new Date(0))
  await clear()
  expect([existsSync(young), existsSync(old)]).toEqual([true, false])
})
