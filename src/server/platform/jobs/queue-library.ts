import { registerHooks } from 'node:module'

/** Stands in for `cosmiconfig`: finds no configuration anywhere. */
const noSearch = `data:text/javascript,${encodeURIComponent('export const cosmiconfigSync = () => ({ search: () => null })')}`

/**
 * The library of the job queue. At import it looks for a configuration file in every folder above the working folder, runs one it finds,
 * and throws when it may not read such a folder. All its settings are given in code, so the search is replaced.
 */
export async function loadQueueLibrary() {
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      name === 'cosmiconfig' ? { url: noSearch, format: 'module', shortCircuit: true } : next(name, context),
  })
  try {
    return await import('graphile-worker')
  } finally {
    hooks.deregister()
  }
}
