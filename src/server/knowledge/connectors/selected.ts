import type { Selection } from '#shared/knowledge/connectors/sources.ts'
import { giveTurns } from './give-turns.ts'
import { readGlob } from './read-glob.ts'

type Test = (path: string) => boolean
/** Parsed patterns of a selection. */
const parsed = new WeakMap<Selection, { include: Test; exclude: Test }>()

/** Tells whether a path is in the selected folders and fits the patterns. A pattern without `/` is compared with the name. */
export function isSelected(selection: Selection, path: string): boolean {
  const { folders, include } = selection
  if (folders.length > 0 && !folders.some((folder) => isBelow(path, folder))) return false
  const patterns = parsed.get(selection) ?? parsePatterns(selection)
  return !patterns.exclude(path) && (include.length === 0 || patterns.include(path))
}

/** Returns the selected ones of many. It yields to the event loop meanwhile. */
export async function keepSelected<T>(
  selection: Selection,
  all: readonly T[],
  pathOf: (one: T) => string,
): Promise<T[]> {
  const kept: T[] = []
  const turn = giveTurns()
  for (const one of all) {
    if (isSelected(selection, pathOf(one))) kept.push(one)
    await turn()
  }
  return kept
}

/** Tells whether a folder may contain selected items. */
export function mayContain({ folders }: Pick<Selection, 'folders'>, path: string): boolean {
  if (folders.length === 0 || path === '') return true
  return folders.some((folder) => isBelow(path, folder) || isBelow(folder, path))
}

const isBelow = (path: string, folder: string) =>
  folder === '' || path === folder || path.startsWith(`${folder}/`)

function parsePatterns(selection: Selection): { include: Test; exclude: Test } {
  const read = (patterns: readonly string[]): Test => {
    const tests = patterns.map((pattern) => readPattern(pattern.toLowerCase()))
    return (path) => {
      const lower = path.toLowerCase()
      return tests.some((test) => test(lower))
    }
  }
  const patterns = { include: read(selection.include), exclude: read(selection.exclude) }
  parsed.set(selection, patterns)
  return patterns
}

function readPattern(pattern: string): Test {
  const fits = readGlob(pattern)
  return pattern.includes('/') ? fits : (path) => fits(path.slice(path.lastIndexOf('/') + 1))
}
