import { resolve } from 'node:path'

/** The archive that is the only argument, from where the person is, and the flags beside it. Else prints the usage and ends. */
export function readArchiveArgument(usage: string, flags: string[] = []): { path: string; given: string[] } {
  const given = process.argv.slice(2)
  const [file, ...more] = given.filter((word) => !flags.includes(word))
  if (file && !file.startsWith('--') && more.length === 0)
    return { path: resolve(process.env.INIT_CWD ?? process.cwd(), file), given }
  console.error(`Usage: ${usage}`)
  process.exit(1)
}
