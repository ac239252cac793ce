import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Texts as nested objects. */
export type Texts = { [key: string]: string | Texts }

const listed = new Map<string, string[]>()

/**
 * Returns the texts of a namespace: those of `locales`, with those of complete folders such as sources of connectors, which have theirs in
 * `texts/<language>/<namespace>.json`. Empty for an unknown namespace. `root` is the checkout.
 */
export function readTexts(root: URL, language: string, namespace: string): Texts {
  const paths =
    listed.get(root.href) ?? globSync('src/**/texts/*/*.json', { cwd: fileURLToPath(root) }).sort()
  listed.set(root.href, paths)
  const own = paths.filter(
    (path) => basename(path, '.json') === namespace && basename(dirname(path)) === language,
  )
  return [`locales/${language}/${namespace}.json`, ...own]
    .map((path) => readFile(new URL(path, root)))
    .reduce(merge, {})
}

function readFile(file: URL): Texts {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Texts
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

function merge(all: Texts, more: Texts): Texts {
  const merged = { ...all }
  for (const [key, value] of Object.entries(more)) {
    const known = merged[key]
    merged[key] = typeof known === 'object' && typeof value === 'object' ? merge(known, value) : value
  }
  return merged
}
