import type { Cell } from './made-table.ts'

type Relation = string

/**
 * Returns the F1 score over adjacent cells of each true table, as in the ICDAR 2013 table competition. Each true table is compared with
 * the best remaining table that was read. A missed table scores 0.
 */
export function scoreTables(truth: Cell[][], read: Cell[][]): number[] {
  const found = read.map(relationsOf)
  const used = new Set<number>()
  return truth.map((table) => {
    const wanted = relationsOf(table)
    let best = { score: 0, at: -1 }
    found.forEach((one, at) => {
      const score = used.has(at) ? 0 : f1(wanted, one)
      if (score > best.score) best = { score, at }
    })
    used.add(best.at)
    return best.score
  })
}

function relationsOf(cells: Cell[]): Relation[] {
  const full = cells.filter(({ text }) => tight(text) !== '')
  const at = new Map<string, Cell>()
  for (const cell of full)
    for (let row = cell.row; row <= cell.row_end; row++)
      for (let col = cell.col; col <= cell.col_end; col++) at.set(`${row},${col}`, cell)
  const [rows, columns] = [
    Math.max(0, ...full.map((cell) => cell.row_end)),
    Math.max(0, ...full.map((cell) => cell.col_end)),
  ]
  const relations = new Set<string>()
  for (const [place, cell] of at) {
    const [row, col] = place.split(',').map(Number) as [number, number]
    for (const [down, right] of [
      [0, 1],
      [1, 0],
    ] as const) {
      let [y, x] = [row + down, col + right]
      while (y <= rows && x <= columns && !at.has(`${y},${x}`)) [y, x] = [y + down, x + right]
      const next = at.get(`${y},${x}`)
      if (next && next !== cell) relations.add(`${full.indexOf(cell)} ${full.indexOf(next)} ${down}`)
    }
  }
  return [...relations].map((relation) => {
    const [one, next, down] = relation.split(' ').map(Number) as [number, number, number]
    return [tight(full[one]?.text ?? ''), tight(full[next]?.text ?? ''), down].join('\u0001')
  })
}

function f1(wanted: Relation[], found: Relation[]): number {
  const left = new Map<Relation, number>()
  for (const one of found) left.set(one, (left.get(one) ?? 0) + 1)
  let hits = 0
  for (const one of wanted) {
    const count = left.get(one) ?? 0
    if (count === 0) continue
    hits++
    left.set(one, count - 1)
  }
  return wanted.length + found.length === 0 ? 1 : (2 * hits) / (wanted.length + found.length)
}

const tight = (text: string) => text.normalize('NFKC').replace(/\s+/g, '').toLowerCase()
