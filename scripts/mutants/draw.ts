import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { cwd, env } from 'node:process'

type Place = { line: number; column: number }
/** A mutation of a source. One node can have several with different replacements. */
export type Change = {
  id: string
  fileName: string
  mutatorName: string
  replacement?: string
  location: { start: Place; end: Place }
}

/**
 * Draws `size` random changes with equal probability. Each change gets a number from its content and the seed, and the lowest
 * are drawn, so an edit of one file leaves most of the draw unchanged.
 */
export function draw<Any extends Change>(changes: readonly Any[], size: number, seed: string): Any[] {
  const numbered = changes.map((change) => ({ change, number: numberOf(change, seed) }))
  numbered.sort((a, b) => (a.number < b.number ? -1 : 1))
  return numbered.slice(0, size).map(({ change }) => change)
}

function numberOf({ fileName, mutatorName, replacement, location }: Change, seed: string): string {
  const { start, end } = location
  const place = [start.line, start.column, end.line, end.column].join(':')
  const parts = [seed, relative(cwd(), fileName), place, mutatorName, replacement ?? '']
  return createHash('sha256').update(parts.join('\n')).digest('hex')
}

/**
 * Stryker asks a checker which changes to run. This one receives all changes in one group before the first run and excludes
 * those that were not drawn from every count.
 */
export const strykerPlugins = [
  {
    kind: 'Checker',
    name: 'drawn',
    value: {
      init: async () => {},
      group: async (changes: Change[]) => [changes.map(({ id }) => id)],
      check: async (changes: Change[]) => {
        const drawn = new Set(draw(changes, Number(env.MUTANTS_SAMPLE), env.MUTANTS_SEED ?? '1'))
        const answer = (change: Change) =>
          drawn.has(change) ? { status: 'passed' } : { status: 'compileError', reason: 'not drawn' }
        return Object.fromEntries(changes.map((change) => [change.id, answer(change)]))
      },
    },
  },
]
