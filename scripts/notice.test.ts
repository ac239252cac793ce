import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, { license?: string; dev?: true }>
}
const shipped = Object.entries(packages).filter(([, { dev }]) => !dev)
const [, models = '', programs = ''] = read('NOTICE.md').split(/^## .*$/m)
const rows = (table: string) =>
  table
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('`'))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    )

describe('NOTICE', () => {
  it('lists each model package with its stated licence', () => {
    const stated = rows(models).map((row) => [row[3]?.replaceAll('`', ''), row[4]])
    expect(stated).toHaveLength(6)
    for (const [name, licence] of stated)
      expect([name, packages[`node_modules/${name}`]?.license]).toEqual([name, licence])
  })

  it('lists all installed data packages', () => {
    const data = shipped
      .map(([path]) => path.replace(/^.*node_modules\//, ''))
      .filter((name) => /models|whisper|tesseract\.js-data|^eld$/.test(name))
    expect(data.length).toBeGreaterThan(4)
    for (const name of data) expect(models).toContain(`\`${name}\``)
  })

  it('lists bundled programs only of installed packages', () => {
    const names = rows(programs).flatMap((row) =>
      [...(row[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    )
    expect(names.length).toBeGreaterThan(8)
    // The packages of the web pages are installed for the build only.
    for (const name of names)
      expect(
        Object.keys(packages).some(
          (path) =>
            path.endsWith(name.replace(/\*$/, '')) ||
            path.includes(`node_modules/${name.replace(/\*$/, '')}`),
        ),
      ).toBe(true)
  })
})
