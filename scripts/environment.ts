import '../src/server/platform/process/own-modules.ts'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkout } from '../src/server/platform/process/checkout.ts'

/** Prepares every command: checks Node, changes to the product folder and loads `.env`. Returns that folder. */
export function prepareEnvironment(): string {
  const root = resolve(fileURLToPath(checkout))
  const major = Number(process.versions.node.split('.')[0])
  if (major < 24) {
    console.error(
      `Atrium needs Node 24 or newer; this is ${process.version}. Start it with "npm start" after "npm ci".`,
    )
    process.exit(1)
  }
  process.chdir(root)
  try {
    process.loadEnvFile(join(root, '.env'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return root
    console.error(`The settings in ${join(root, '.env')} cannot be read: ${message}`)
    process.exit(1)
  }
  return root
}
