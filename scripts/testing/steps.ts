import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export type Step = { name: string; command: string; args: string[] }

/** Runs steps concurrently and prints their lines as they come, each behind the step's name. Returns the names of those that failed. */
export async function runSteps(steps: Step[]): Promise<string[]> {
  const ended = await Promise.all(steps.map(runStep))
  return steps.filter((_, at) => !ended[at]).map(({ name }) => name)
}

function runStep({ name, command, args }: Step): Promise<boolean> {
  const started = performance.now()
  const print = (line: string) => console.log(`[${name}] ${line}`)
  print(`${command} ${args.filter((argument) => argument !== '--silent').join(' ')}`)
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const output of [child.stdout, child.stderr]) createInterface(output).on('line', print)
    child.once('error', (error) => print(error.message))
    child.once('close', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(0)
      print(code === 0 ? `done in ${seconds} s` : `failed after ${seconds} s`)
      resolve(code === 0)
    })
  })
}
