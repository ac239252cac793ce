import { resolve } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/**
 * Writes into the page which files a view consists of, as `data-<name>` of its first script: that begins to load them
 * where the view is the one asked for, at once instead of one import after the other.
 */
export function preloadViews(views: Record<string, string>): Plugin {
  return {
    name: 'preload-views',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const attributes = Object.entries(views).map(
          ([name, source]) => `data-${name}="${filesOf(bundle, resolve(source)).join(' ')}"`,
        )
        return html.replace('<script>', `<script ${attributes.join(' ')}>`)
      },
    },
  }
}

/** The chunk of a source, all it imports at once, and their styles, without what the page loads in any case. */
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
