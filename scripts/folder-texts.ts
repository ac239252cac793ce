import type { Plugin } from 'vite'
import { readTexts } from '../src/server/platform/http/translations/read-texts.ts'

/** Adds the texts of complete folders, such as sources of connectors, to the files of `locales`. */
export function folderTexts(): Plugin {
  const root = new URL('../', import.meta.url)
  return {
    name: 'folder-texts',
    enforce: 'pre',
    load: {
      filter: { id: /\/locales\/\w+\/\w+\.json$/ },
      handler(id) {
        const [, language = '', namespace = ''] = /\/locales\/(\w+)\/(\w+)\.json$/.exec(id) ?? []
        return JSON.stringify(readTexts(root, language, namespace))
      },
    },
  }
}
