import { resolve } from 'node:path'

/** Reads the only argument, an archive path relative to the person's folder, and its flags. Otherwise prints the usage and exits. */
export function readArchiveArgument(usage: string, flags: string[] = []): { path: string; given: string[] } {
  const given = process.argv.slice(2)
  const [file, ...more] = given.filter((word) => !flags.includes(word))
  if (file && !file.startsWith('--') && more.length === 0)
    return { path: resolve(process.env.INIT_CWD ?? process.cwd(), file), given }
  console.error(`Usage: ${usage}`)
  process.exit(1)
}
