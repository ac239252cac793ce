import { realpathSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { checkout, codeUrl } from './checkout.ts'

/**
 * Limits this process to modules of the checkout when imported. Node searches `node_modules` in every parent folder and in the
 * home folder for missing packages, such as optional ones. Code placed there by someone else would run.
 */
const folders = [checkout, installed()].map((url) => url.href)
/** One more folder, given to a child process with the address of this module. The module may be loaded once more without it. */
const given = process.execArgv.find((argument) => argument.includes('?also='))
const also = given && URL.canParse(given) ? new URL(given).searchParams.get('also') : null
if (also) folders.push(also)

registerHooks({
  resolve: (name, context, next) => {
    const found = next(name, context)
    if (!found.url.startsWith('file:') || folders.some((folder) => found.url.startsWith(folder))) return found
    // Libraries with optional packages check the code of a failed import.
    const code = context.conditions.includes('require') ? 'MODULE_NOT_FOUND' : 'ERR_MODULE_NOT_FOUND'
    throw Object.assign(new Error(`Cannot find '${name}' in ${fileURLToPath(folders[0] ?? '')}.`), { code })
  },
})

/** Node arguments that apply the same limit to a child process. */
export const ownModulesOnly = ['--import', codeUrl('src/server/platform/process/own-modules.ts').href]

/** The same arguments for a child process that may also import from `folder`, which is not part of the checkout. */
export function modulesOfAlso(folder: string): string[] {
  const address = codeUrl('src/server/platform/process/own-modules.ts')
  // Modules are known by their real path.
  address.searchParams.set('also', pathToFileURL(`${realpathSync(folder)}/`).href)
  return ['--import', address.href]
}

/** `node_modules` may be a link to another folder. */
function installed(): URL {
  const place = fileURLToPath(new URL('node_modules', checkout))
  try {
    return pathToFileURL(`${realpathSync(place)}/`)
  } catch {
    return pathToFileURL(`${place}/`)
  }
}
