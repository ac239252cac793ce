import { matchesGlob } from 'node:path'
import type { Selection } from '#shared/knowledge/connectors/sources.ts'

/** Tells whether a path is in the selected folders and fits the patterns. A pattern without `/` is compared with the name. */
export function isSelected({ folders, include, exclude }: Selection, path: string): boolean {
  if (folders.length > 0 && !folders.some((folder) => isBelow(path, folder))) return false
  if (exclude.some((pattern) => fits(path, pattern))) return false
  return include.length === 0 || include.some((pattern) => fits(path, pattern))
}

/** Tells whether a folder may contain selected items. */
export function mayContain({ folders }: Pick<Selection, 'folders'>, path: string): boolean {
  if (folders.length === 0 || path === '') return true
  return folders.some((folder) => isBelow(path, folder) || isBelow(folder, path))
}

const isBelow = (path: string, folder: string) =>
  folder === '' || path === folder || path.startsWith(`${folder}/`)

function fits(path: string, pattern: string): boolean {
  const compared = pattern.includes('/') ? path : (path.split('/').at(-1) ?? '')
  return matchesGlob(compared.toLowerCase(), pattern.toLowerCase())
}
