import { describe, expect, it } from 'vitest'
import { aMap } from '#tests/web/map-builder.ts'
import { layOut } from './map-layout.ts'
import { walk } from './walk.ts'

const none: ReadonlySet<string> = new Set()
/** Returns lane and name of every row, and the size of folds. */
const drawn = (messages: string[], leaf: string, unfolded = none) =>
  layOut(aMap(...messages), leaf, unfolded).rows.map(
    ({ lane, id, folded }) => `${lane} ${id}${folded ? ` +${folded}` : ''}`,
  )

/** A question, three answers to it, and a branch after the first one. The second is current. */
const tree = [
  ...['q1', 'a1 < q1', 'q2 < a1', 'a2 < q2', 'q3 < a2', 'a3 < q3', 'b3 < q3'],
  ...['q4 < b3', 'a4 < q4', 'q5 < a4', 'a5 < q5', 'b1 < q1', 'c1 < q1'],
]

describe('lanes of the branch map', () => {
  it('give the current path the first lane and the last position, and branch off one lane at a time [SV-93, BR-15]', () => {
    expect(drawn(tree, 'b1')).toEqual([
      ...['0 q1', '1 c1', '1 a1', '1 q2', '1 a2', '1 q3', '2 a3', '1 b3', '1 q4 +3', '1 a5', '0 b1'],
    ])
    const { rows, leaves, lanes } = layOut(aMap(...tree), 'b1', none)
    expect(rows.filter(({ isActive }) => isActive).map(({ id }) => id)).toEqual(['q1', 'b1'])
    expect(rows.find(({ isHere }) => isHere)).toMatchObject({ id: 'b1', position: 2, count: 3 })
    expect({ leaves, lanes }).toEqual({ leaves: 4, lanes: 3 })
    // Counts the messages of one path, not all descendants.
    expect(rows.find(({ id }) => id === 'a2')?.following).toBe(6)
  })

  it('fold messages without alternatives, and unfold them [BR-15]', () => {
    const long = ['q1', ...Array.from({ length: 9 }, (_, at) => `m${at + 2} < ${at ? `m${at + 1}` : 'q1'}`)]
    expect(drawn(long, 'm10')).toEqual(['0 q1', '0 m2 +8', '0 m10'])
    expect(drawn(long, 'm10', new Set(['m2']))).toHaveLength(10)
    const { rowOf } = layOut(aMap(...long), 'm10', none)
    expect(rowOf.get('m7')).toBe(1)
    expect(drawn(['q1', 'a1 < q1', 'q2 < a1', 'a2 < q2'], 'a2')).toHaveLength(4)
  })

  it('include alternatives of first messages, and accept an empty chat [SV-93]', () => {
    const { rows, lines } = layOut(aMap('q1', 'a1 < q1', 'q2', 'a2 < q2'), 'a2', none)
    expect(rows.map(({ id, lane, position }) => [id, lane, position])).toEqual([
      ['q1', 0, 1],
      ['a1', 0, 1],
      ['q2', 0, 2],
      ['a2', 0, 1],
    ])
    expect(lines).toHaveLength(2)
    expect(layOut([], null, none).rows).toEqual([])
  })

  it('are computed immediately for ten thousand messages with 500 branches [SV-93]', () => {
    const trunk = Array.from({ length: 7500 }, (_, at) => (at ? `m${at} < m${at - 1}` : 'm0'))
    const branches = Array.from({ length: 500 }, (_, branch) =>
      Array.from(
        { length: 5 },
        (_, at) => `s${branch}.${at} < ${at ? `s${branch}.${at - 1}` : `m${branch * 15}`}`,
      ),
    )
    const messages = aMap(...trunk, ...branches.flat())
    const started = performance.now()
    const { rows, leaves, lanes } = layOut(messages, 'm7499', none)
    expect(performance.now() - started).toBeLessThan(1000)
    expect(leaves).toBe(501)
    expect(lanes).toBe(2)
    expect(rows.length).toBeLessThan(3100)
  })
})

describe('keyboard of the branch map', () => {
  const layout = layOut(aMap(...tree), 'b1', none)
  const actions: Record<string, Parameters<typeof walk>[2]> = {
    ...{ Up: 'branch_up', Down: 'branch_down', Left: 'branch_before', Right: 'branch_after' },
    ...{ Home: 'branch_start', End: 'branch_end' },
  }
  const from = (id: string, ...keys: string[]) => {
    const start = layout.rowOf.get(id) ?? -1
    const end = keys.reduce((at, key) => walk(layout, at, actions[key] ?? 'open_message') ?? -1, start)
    return layout.rows[end]?.id
  }

  it('moves along a branch with up and down, and between branches with left and right [BR-15]', () => {
    expect(from('b1', 'Up')).toBe('q1')
    expect(from('q1', 'Down')).toBe('b1')
    expect(from('b1', 'Right')).toBe('c1')
    expect(from('b1', 'Left')).toBe('a1')
    expect(from('c1', 'Right')).toBe('a1')
    expect(from('a1', 'Down', 'Down')).toBe('a2')
    expect(from('a2', 'Right')).toBe('b1')
    expect(from('a3', 'Right')).toBe('b3')
    expect(from('a3', 'Up')).toBe('q3')
  })

  it('moves to the first fork with left and right before it, stops at ends, and ignores other keys [BR-15]', () => {
    expect(from('q1', 'Right')).toBe('c1')
    expect(from('q1', 'Up')).toBe('q1')
    expect(from('b1', 'Down')).toBe('b1')
    expect(from('a2', 'End')).toBe('a5')
    expect(from('a5', 'Home')).toBe('q1')
    expect(walk(layout, 0, 'open_message')).toBeNull()
  })

  it('reaches every branch [BR-15]', () => {
    const seen = new Set([0])
    for (const at of seen) {
      for (const action of ['branch_up', 'branch_down', 'branch_before', 'branch_after'] as const) {
        const next = walk(layout, at, action)
        if (next !== null) seen.add(next)
      }
    }
    expect(seen.size).toBe(layout.rows.length)
  })
})
