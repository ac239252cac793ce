import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const package_ = createRequire(import.meta.url).resolve('pdfjs-dist/package.json')
const { version } = JSON.parse(readFileSync(package_, 'utf8')) as { version: string }
/** Image decoders, character maps, and standard fonts that files may omit. */
const folders = ['wasm', 'cmaps', 'standard_fonts']
/** Excludes the engine for scripts in PDF files, which are never run. */
const isWanted = (name: string) => !name.startsWith('quickjs')
const filesOf = (folder: string) => readdirSync(join(dirname(package_), folder)).filter(isWanted)
const base = `assets/pdf-${version}`

/**
 * Copies the resources that the PDF reader fetches by name into the build; `__PDF_RESOURCES__` is their path. The path contains
 * the version, so that browsers can cache them.
 */
export function pdfResources(): Plugin {
  return {
    name: 'pdf-resources',
    config: () => ({ define: { __PDF_RESOURCES__: JSON.stringify(`/${base}/`) } }),
    generateBundle() {
      for (const folder of folders)
        for (const name of filesOf(folder))
          this.emitFile({
            ...{ type: 'asset', fileName: `${base}/${folder}/${name}` },
            source: readFileSync(join(dirname(package_), folder, name)),
          })
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${base}`, (request, response, next) => {
        const [, folder = '', name = ''] = /^\/([a-z_]+)\/([\w.-]+)$/.exec(request.url ?? '') ?? []
        if (!folders.includes(folder) || !filesOf(folder).includes(name)) return next()
        if (name.endsWith('.js')) response.setHeader('content-type', 'text/javascript')
        response.end(readFileSync(join(dirname(package_), folder, name)))
      })
    },
  }
}
