import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/BENCHMARKS.md'), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| what ') && !line.startsWith('| folder '))
  .map((line) => line.split('|').slice(1, -1))

describe('docs/BENCHMARKS.md', () => {
  it('names benchmarks and fault tests that exist', () => {
    const benches = globSync('bench/*.ts', { cwd: root }).map((file) => basename(file, '.ts'))
    const faults = globSync('tests/faults/*.test.ts', { cwd: root }).map((file) => basename(file))
    for (const [, name = ''] of page.matchAll(/npm run bench -- ([\w-]+)/g)) expect(benches).toContain(name)
    for (const [, only = ''] of page.matchAll(/--only ([\w-]+)/g))
      expect(
        faults.some((file) => file.startsWith(only)),
        only,
      ).toBe(true)
  })

  it('has one measurement per row, and marks each missed target', () => {
    expect(rows.length).toBeGreaterThan(60)
    for (const row of rows) {
      const [what = '', measured = '', target = ''] = row.map((cell) => cell.trim())
      expect([3, 5], what).toContain(row.length)
      expect(measured, what).toMatch(
        /^(?:\d[\d.,]* ?(?:%|×|[a-zA-Z]+|× idle)?|\d[\d,]* of \d[\d,]*|\.\d+|all)$/,
      )
      expect(isMissed(measured, target), `${what}: ${measured}, ${target}`).toBe(target.endsWith('✗'))
    }
  })
})

/** Returns whether a measurement misses a target such as `< 3 s` or `≥ .95`; false if there is nothing to compare. */
function isMissed(measured: string, target: string): boolean {
  const value = numberOf(measured)
  const wanted = numberOf(target)
  if (value === null || wanted === null || / of /.test(measured) || target.includes('%')) return false
  if (target.startsWith('<')) return value >= wanted
  if (target.startsWith('≤')) return value > wanted
  if (target.startsWith('≥')) return value < wanted
  return /^\d/.test(target) && value < wanted
}

function numberOf(text: string): number | null {
  const found = /[\d.][\d.,]*/.exec(text)?.[0].replaceAll(',', '')
  const isKilo = / kB/.test(text)
  return found === undefined ? null : Number(found) * (isKilo ? 1 : / ms/.test(text) ? 0.001 : 1)
}
