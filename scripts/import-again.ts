import type { Plugin } from 'vite'

const declared = 'export const __vitePreload ='

/** Lets every `import()` of the built page retry after a network failure: see `src/web/platform/lib/early/import-again.ts`. */
export function importAgain(): Plugin {
  return {
    name: 'import-again',
    apply: 'build',
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler(code) {
        if (!code.includes(declared))
          throw new Error('Vite names what loads parts of a page in another way now.')
        return {
          code: `import { importAgain } from '/src/web/platform/lib/early/import-again.ts'
${code.replace(declared, 'const preload =')}
${declared} (load, files, from) => importAgain(() => preload(load, files, from))`,
          map: null,
        }
      },
    },
  }
}
