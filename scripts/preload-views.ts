import { resolve } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/**
 * Writes the files of each view into the page, as `data-<name>` of its first script. The script loads those of the requested view concurrently
 * instead of one import after the other. `threads` are files of packages that a view starts by itself.
 */
export function preloadViews(
  views: Record<string, string>,
  threads: Record<string, readonly string[]> = {},
): Plugin {
  return {
    name: 'preload-views',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = Object.entries(views).map(([name, source]) => ({
          name,
          all: filesOf(bundle, resolve(source)),
        }))
        const started = Object.entries(threads).map(([name, sources]) => ({
          name,
          all: sources.map((source) => assetOf(bundle, source)),
        }))
        const attributes = [...files, ...started].map(({ name, all }) => `data-${name}="${all.join(' ')}"`)
        return html.replace('<script>', `<script ${attributes.join(' ')}>`)
      },
    },
  }
}

/** Returns the chunk of a source with its static imports and styles, without files that the page always loads. */
function filesOf(bundle: Rolldown.OutputBundle, source: string): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const closure = (chunk: Rolldown.OutputChunk | undefined, known = new Set<Rolldown.OutputChunk>()) => {
    if (!chunk || known.has(chunk)) return known
    known.add(chunk)
    for (const name of chunk.imports)
      closure(
        chunks.find(({ fileName }) => fileName === name),
        known,
      )
    return known
  }
  const start = closure(chunks.find(({ isEntry }) => isEntry))
  const view = chunks.find(({ facadeModuleId }) => facadeModuleId === source)
  if (!view) throw new Error(`The build has no file of its own for ${source}`)
  return [...closure(view)].filter((chunk) => !start.has(chunk)).flatMap(addressesOf)
}

function addressesOf(chunk: Rolldown.OutputChunk): string[] {
  return [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])].map((file) => `/${file}`)
}

function assetOf(bundle: Rolldown.OutputBundle, source: string): string {
  const assets = Object.values(bundle).filter((file) => file.type === 'asset')
  const asset = assets.find(({ originalFileNames }) =>
    originalFileNames.some((name) => name.endsWith(source)),
  )
  if (!asset) throw new Error(`The build has no ${source}`)
  return `/${asset.fileName}`
}
