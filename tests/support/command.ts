import { type ChildProcess, spawn } from 'node:child_process'

export type Ended = { code: number | null; said: string }

/** Starts a command of `scripts/` with only these settings. */
export function startCommand(
  args: string[],
  env: Record<string, string>,
  prefix: string[] = [],
): { process: ChildProcess; ended: Promise<Ended> } {
  const [program = '', ...rest] = [...prefix, process.execPath, ...args]
  const child = spawn(program, rest, { env: { PATH: process.env.PATH, ...env } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk))
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code) => resolve({ code, said: said.trim() })),
  )
  return { process: child, ended }
}

export const runCommand = (...given: Parameters<typeof startCommand>): Promise<Ended> =>
  startCommand(...given).ended
