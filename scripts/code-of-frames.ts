import type { Plugin } from 'vite'

/** What a frame without an origin runs, and the packages in it. */
const ours = /^\/(?:src\/web\/platform\/markdown\/diagram\/frame\/|node_modules\/|@vite\/|@id\/)/

/** While developing, lets a frame that has no origin load the code it runs, and nothing else of ours. */
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
