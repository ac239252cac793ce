import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Modules that the compile step loads by themselves: all code of a start, and the queue's library. */
export const alsoLoaded = ['src/server/load-code.ts', 'src/server/platform/jobs/queue-library.ts']

/**
 * Libraries that load at the first sign-on or mail. Each is a file of its own, compiled by the build, so that loading it
 * delays other requests by less than 50 ms.
 */
export const libraries = [
  '@node-saml/node-saml',
  '@simplewebauthn/server',
  'openid-client',
  'nodemailer',
  'ldapts',
]

/** The file of a bundled library in `dist/server`, such as `library-openid-client.js`. */
export const libraryName = (name: string) => `library-${name.replace(/^@/, '').replaceAll('/', '-')}.js`

/**
 * Source files that become a file of their own in `dist/server`, as paths from the checkout: the server's entry, every thread, child process and
 * import named by `codeUrl`, the code of tools, the records of providers, the sources of connectors with their settings, and the start command.
 */
export function listEntries(root: string): string[] {
  const sources = globSync('src/{server,parsers}/**/*.ts', { cwd: root }).filter(
    (path) => !path.endsWith('.test.ts'),
  )
  const named = sources.flatMap((path) => {
    const calls = readFileSync(join(root, path), 'utf8').matchAll(/codeUrl\(\s*'(src\/[^']+\.ts)'/g)
    return Array.from(calls, ([, entry = '']) => entry)
  })
  const tools = globSync('src/tools/*/{contract,run}.ts', { cwd: root })
  const records = globSync('src/server/models/providers/*/*-provider.ts', { cwd: root })
  const connectors = globSync('src/server/knowledge/connectors/sources/*/*-{source,settings}.ts', {
    cwd: root,
  })
  const found = [...named, ...tools, ...records, ...connectors]
  return [...new Set(['scripts/start.ts', 'src/server/main.ts', ...alsoLoaded, ...found])].sort()
}
