import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fastify from 'fastify'
import { builtName } from '../src/server/platform/process/checkout.ts'
import { alsoLoaded } from './server-entries.ts'

/** Loads what a start of the built server loads, so that Node stores the compiled code in the folder of `NODE_COMPILE_CACHE`. */
const load = (path: string) =>
  import(pathToFileURL(join(import.meta.dirname, '..', 'dist', 'server', builtName(path))).href)

const [code, queue] = await Promise.all(alsoLoaded.map(load))
await Promise.all([code.loadCode(), queue.loadQueueLibrary(), load('src/parsers/reader/child.ts')])
// Fastify loads its schema compilers when the first application with a schema is ready.
const schema = { querystring: { type: 'object', properties: {} } }
await fastify()
  .get('/', { schema }, () => '')
  .ready()
// Loaded code may hold timers; Node writes its cache when the process ends.
process.exit()
