import { readFileSync, writeFileSync } from 'node:fs'
import type { Description } from './find-breaks.ts'

const file = new URL('../../../docs/api/openapi.json', import.meta.url)
/** Server address in the published description. It is reserved for examples. */
export const PUBLISHED_AT = 'https://atrium.example'

/** Reads the last published description. */
export function readPublished(): Description {
  return JSON.parse(readFileSync(file, 'utf8')) as Description
}

/** Writes one operation per line, for readable diffs. */
export function publish({ paths, ...head }: Description): void {
  const lines = Object.entries(paths).map(([path, methods]) => {
    const operations = Object.entries(methods).map(
      ([method, operation]) => `"${method}":${JSON.stringify(operation)}`,
    )
    return `${JSON.stringify(path)}:{\n${operations.join(',\n')}}`
  })
  writeFileSync(file, `${JSON.stringify(head).slice(0, -1)},"paths":{\n${lines.join(',\n')}\n}}\n`)
}
