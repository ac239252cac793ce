import { registerHooks } from 'node:module'

/**
 * Limits the packages of a test process to those of the checkout when imported. Node searches `node_modules` in every folder above for
 * optional packages that are not installed, and would run what others put there.
 */
const checkout = new URL('../../', import.meta.url).href

registerHooks({
  resolve: (name, context, next) => {
    const found = next(name, context)
    const [above = ''] = found.url.split('node_modules/', 1)
    if (above === found.url || above === checkout || !checkout.startsWith(above)) return found
    const code = context.conditions.includes('require') ? 'MODULE_NOT_FOUND' : 'ERR_MODULE_NOT_FOUND'
    throw Object.assign(new Error(`Cannot find '${name}' in ${checkout}.`), { code })
  },
})
