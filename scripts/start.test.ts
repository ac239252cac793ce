import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let root: string
const put = (name: string, text: string) => writeFileSync(join(root, name), text)
const start = () =>
  execFileSync(process.execPath, [join(root, 'scripts/start.mjs')], { encoding: 'utf8' }).trim()

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'atrium-start-'))
  mkdirSync(join(root, 'scripts'))
  mkdirSync(join(root, 'dist/server'), { recursive: true })
  cpSync(join(import.meta.dirname, 'start.mjs'), join(root, 'scripts/start.mjs'))
  put('scripts/start.ts', "console.log('sources' as string)")
})
afterEach(() => rmSync(root, { recursive: true }))

describe('npm start', () => {
  it('runs the sources of a checkout that was never built', () => {
    expect(start()).toBe('sources')
  })

  it('runs the sources when a build was interrupted', () => {
    put('dist/server/scripts-start.js', "import './chunk-that-was-not-written.js'")
    expect(start()).toBe('sources')
  })

  it.each(['server/.sources', 'release'])('runs the built command with dist/%s', (mark) => {
    put('dist/server/scripts-start.js', "console.log('built')")
    put(`dist/${mark}`, '')
    expect(start()).toBe('built')
  })
})
