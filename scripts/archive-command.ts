import { resolve } from 'node:path'
import { prepareEnvironment } from './environment.ts'

/** Runs a command over one archive, which is named by the only argument, from where the person is. Failures are one line. */
export async function runOnArchive(
  usage: string,
  work: (path: string) => Promise<string>,
  expected: (new (message: string) => Error)[],
): Promise<void> {
  const [file, ...more] = process.argv.slice(2)
  if (!file || more.length > 0) {
    console.error(`Usage: ${usage}`)
    process.exit(1)
  }
  const path = resolve(process.env.INIT_CWD ?? process.cwd(), file)
  prepareEnvironment()
  try {
    console.log(await work(path))
  } catch (error) {
    if (!(error instanceof Error && expected.some((kind) => error instanceof kind))) throw error
    console.error(error.message)
    process.exit(1)
  }
}
