import { realpathSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { checkout, codeUrl } from './checkout.ts'

/**
 * Importing this file lets the process load modules of the checkout only. Node looks for a package that is not installed, as optional ones
 * may be, in `node_modules` of every folder above the checkout and in the home folder: code that somebody else put there would run.
 */
const folders = [checkout, installed()].map((url) => url.href)

registerHooks({
  resolve: (name, context, next) => {
    const found = next(name, context)
    if (!found.url.startsWith('file:') || folders.some((folder) => found.url.startsWith(folder))) return found
    // The code of a failed import, as libraries that can do without a package look at it.
    const code = context.conditions.includes('require') ? 'MODULE_NOT_FOUND' : 'ERR_MODULE_NOT_FOUND'
    throw Object.assign(new Error(`Cannot find '${name}' in ${fileURLToPath(folders[0] ?? '')}.`), { code })
  },
})

/** What a process of ours is started with so that the same holds there. */
export const ownModulesOnly = ['--import', codeUrl('src/server/platform/process/own-modules.ts').href]

/** `node_modules` may be a link to a folder elsewhere. */
function installed(): URL {
  const place = fileURLToPath(new URL('node_modules', checkout))
  try {
    return pathToFileURL(`${realpathSync(place)}/`)
  } catch {
    return pathToFileURL(`${place}/`)
  }
}
