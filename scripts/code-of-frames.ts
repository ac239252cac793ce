import type { Plugin } from 'vite'

/** Code that runs in frames without an origin, with its packages. */
const ours = /^\/(?:src\/web\/platform\/markdown\/diagram\/frame\/|node_modules\/|@vite\/|@id\/)/

/** During development, lets frames without an origin load their code and no other files. */
export function codeOfFrames(): Plugin {
  return {
    name: 'code-of-frames',
    apply: 'serve',
    configureServer({ middlewares }) {
      middlewares.use(({ headers, url = '' }, response, next) => {
        if (headers.origin === 'null' && ours.test(url))
          response.setHeader('access-control-allow-origin', '*')
        next()
      })
    },
  }
}
