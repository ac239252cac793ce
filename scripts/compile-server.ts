import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fastify from 'fastify'
import { builtName } from '../src/server/platform/process/checkout.ts'
import { alsoLoaded, libraries, libraryName } from './server-entries.ts'

/** Loads what a start of the built server and its first sign-on load, so that Node stores the compiled code in the folder of `NODE_COMPILE_CACHE`. */
const load = (file: string) =>
  import(pathToFileURL(join(import.meta.dirname, '..', 'dist', 'server', file)).href)

const [code, queue] = await Promise.all(alsoLoaded.map((path) => load(builtName(path))))
await Promise.all([code.loadCode(), queue.loadQueueLibrary(), load(builtName('src/parsers/reader/child.ts'))])
await Promise.all(libraries.map((name) => load(libraryName(name))))
// Fastify loads its schema compilers when the first application with a schema is ready.
const schema = { querystring: { type: 'object', properties: {} } }
await fastify()
  .get('/', { schema }, () => '')
  .ready()
// Loaded code may hold timers; Node writes its cache when the process ends.
process.exit()
