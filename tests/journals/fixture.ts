import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Move } from '../support/model-server.ts'
import type { Rows } from './rows.ts'

/** What is to come when a recorded run is taken up, as a person, the model and the clock give it. */
export type Rest = {
  /** What the model says to the calls that are still open, one after the other. */
  model: Move[][]
  /** What the person does each time the run comes to rest. */
  person: PersonMove[]
}
export type PersonMove = { answer: unknown; type: string } | 'resume'

/** What came of it. Times are left out, and ids are those of the journal. */
export type Outcome = {
  state: string
  /** The answer, or of a standalone run its execution. */
  shown: unknown
  /** What the person was asked, by the names of its checkpoints. */
  asked: string[]
  /** What each call of the model was told of tools and people. */
  told: unknown[]
  /** Calls of the tools that count them. */
  called: string[]
  /** The keys today's code used, in its order. */
  used: string[]
  /** The whole journal at the end: of the run and of its parts. */
  keys: Record<string, string[]>
}

/** A journal as it was written once, by the run it is about. */
export type Recorded = { run: string; rows: Rows; rest: Rest }
/** And what the code of then made of it. */
export type Fixture = Recorded & { outcome: Outcome }

const folder = new URL('.', import.meta.url).pathname

/** The file of a case: `multi_turn-1/finished.json`. */
export const fileOf = (agent: string, version: number, name: string) =>
  `${folder}${agent}-${version}/${name}.json`

/** Every recorded journal, by its name: `multi_turn-1/finished`. */
export function readFixtures(): [string, Fixture][] {
  return globSync('*/*.json', { cwd: folder })
    .sort()
    .map((file) => [file.replace('.json', ''), JSON.parse(readFileSync(folder + file, 'utf8')) as Fixture])
}

/** Writes a journal with a line for every row, key and block. */
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
