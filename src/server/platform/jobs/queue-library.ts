import { registerHooks } from 'node:module'

/** Replaces `cosmiconfig` and never finds a configuration. */
const noSearch = `data:text/javascript,${encodeURIComponent('export const cosmiconfigSync = () => ({ search: () => null })')}`

/**
 * Loads the job queue library. On import it searches the working folder and its parents for a configuration file, runs it, and
 * throws if a folder is unreadable. All its settings are given in code, so the search is replaced.
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
