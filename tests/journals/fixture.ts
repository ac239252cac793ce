import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Move } from '../support/model-server.ts'
import type { Rows } from './rows.ts'

/** The remaining input of a recorded run when it is resumed: from the person, the model and the clock. */
export type Rest = {
  /** The model's answers to the remaining calls, in turn. */
  model: Move[][]
  /** The person's actions each time the run comes to rest. */
  person: PersonMove[]
}
export type PersonMove = { answer: unknown; type: string } | 'resume'

/** The outcome, without times, and with the ids of the journal. */
export type Outcome = {
  state: string
  /** The answer; for a standalone run its execution. */
  shown: unknown
  /** Names of the checkpoints at which the person was asked. */
  asked: string[]
  /** The tool and person messages sent in each model call. */
  told: unknown[]
  /** Calls of the counting tools. */
  called: string[]
  /** The keys used by today's code, in order. */
  used: string[]
  /** The whole final journal of the run and of its parts. */
  keys: Record<string, string[]>
}

/** A recorded journal and the run it is about. */
export type Recorded = { run: string; rows: Rows; rest: Rest }
/** A recorded journal with its outcome at that time. */
export type Fixture = Recorded & { outcome: Outcome }

const folder = new URL('.', import.meta.url).pathname

/** Returns the file of a case: `multi_turn-1/finished.json`. */
export const fileOf = (agent: string, version: number, name: string) =>
  `${folder}${agent}-${version}/${name}.json`

/** Returns every recorded journal by name: `multi_turn-1/finished`. */
export function readFixtures(): [string, Fixture][] {
  return globSync('*/*.json', { cwd: folder })
    .sort()
    .map((file) => [file.replace('.json', ''), JSON.parse(readFileSync(folder + file, 'utf8')) as Fixture])
}

/** Writes a journal with one line per row, key and block. */
export function writeFixture(file: string, { run, rows, rest, outcome }: Fixture): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${write({ run, rows, rest, outcome }, '')}\n`)
}

const LINE = 100

function write(value: unknown, indent: string, depth = 3): string {
  const text = JSON.stringify(value)
  if (depth === 0 || text.length < LINE || typeof value !== 'object' || value === null) return text
  const deeper = `${indent}  `
  const inner = (one: unknown) => write(one, deeper, Array.isArray(value) ? 0 : depth - 1)
  const lines = Array.isArray(value)
    ? value.map(inner)
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${inner(one)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.map((line) => deeper + line).join(',\n')}\n${indent}${close}`
}
