import type { MapMessage } from '#shared/chat/branches/branches.ts'

/** One row of the map. A fold represents messages without alternatives. */
export type MapRow = {
  /** The message, or the first folded one. */
  id: string
  message: MapMessage
  folded: number
  lane: number
  /** Position among its alternatives, from 1, and their number. */
  position: number
  count: number
  /** Number of messages to the end of its branch. */
  following: number
  isActive: boolean
  isHere: boolean
  /** Targets of the arrow keys: rows of the map, or null. */
  up: number | null
  down: number | null
}

/** A line of a branch between two rows, or the bend at which it leaves another one. */
export type MapLine = {
  kind: 'line' | 'fold' | 'bend'
  fromRow: number
  toRow: number
  fromLane: number
  lane: number
  isActive: boolean
}

export type MapLayout = {
  rows: MapRow[]
  lines: MapLine[]
  /** Row of each message, including folded ones. */
  rowOf: ReadonlyMap<string, number>
  leaves: number
  lanes: number
}

type Node = {
  message: MapMessage
  parent: Node | null
  children: Node[]
  /** Its alternatives, itself included, oldest first. */
  siblings: readonly Node[]
  /** The alternative that continues in the same lane: the current one, otherwise the newest. */
  main: Node | null
  newest: number
  following: number
  isActive: boolean
}

/** Minimum number of messages for a fold. */
const foldFrom = 3

/**
 * Lays out the messages of a session in lanes. The current path has the first lane and is last; every other alternative
 * leaves its branch by one lane and ends before the branch continues. Long runs fold unless they are in `unfolded`.
 */
export function layOut(
  messages: readonly MapMessage[],
  leafId: string | null,
  unfolded: ReadonlySet<string>,
): MapLayout {
  const { roots, nodes } = link(messages, leafId)
  const rowOf = new Map<string, number>()
  const leaves = nodes.filter(({ children }) => children.length === 0).length
  const layout: MapLayout = { rows: [], lines: [], rowOf, leaves, lanes: 1 }
  const drawing: Drawing = { layout, leafId, unfolded, rowOf }
  for (const root of orderedLast(roots)) drawChain(drawing, root, 0, null)
  return layout
}

function link(messages: readonly MapMessage[], leafId: string | null) {
  const byId = new Map<string, Node>()
  messages.forEach((message, newest) => {
    byId.set(message.id, {
      ...{ message, parent: null, children: [], siblings: [], main: null },
      ...{ newest, following: 0, isActive: false },
    })
  })
  const roots: Node[] = []
  for (const node of byId.values()) {
    node.parent = byId.get(node.message.parent_id ?? '') ?? null
    node.siblings = node.parent?.children ?? roots
    if (node.parent) node.parent.children.push(node)
    else roots.push(node)
  }
  for (let node = byId.get(leafId ?? '') ?? null; node; node = node.parent) node.isActive = true
  const fromTop = [...roots]
  for (const node of fromTop) fromTop.push(...node.children)
  for (const node of fromTop.reverse()) {
    for (const child of node.children) node.newest = Math.max(node.newest, child.newest)
    node.main = mainOf(node.children)
    node.following = node.main ? node.main.following + 1 : 0
  }
  return { roots, nodes: fromTop }
}

function mainOf(nodes: readonly Node[]): Node | null {
  return nodes.reduce<Node | null>((main, node) => {
    if (!main || node.isActive) return node
    return !main.isActive && node.newest > main.newest ? node : main
  }, null)
}

/** Sorts alternatives: newest first, and the one that continues in the lane last. */
function orderedLast(nodes: readonly Node[]): Node[] {
  const main = mainOf(nodes)
  const others = nodes.filter((node) => node !== main).reverse()
  return main ? [...others, main] : others
}

type Drawing = {
  layout: MapLayout
  rowOf: Map<string, number>
  leafId: string | null
  unfolded: ReadonlySet<string>
}

/** Draws a branch from its first message to its end, with every alternative that leaves it. */
function drawChain(drawing: Drawing, head: Node, lane: number, parentRow: number | null): void {
  const { rows, lines } = drawing.layout
  drawing.layout.lanes = Math.max(drawing.layout.lanes, lane + 1)
  let above = parentRow
  let run: Node[] = []
  const endRun = () => {
    const first = run[0]
    const isFolded = first && run.length >= foldFrom && !drawing.unfolded.has(first.message.id)
    if (isFolded) above = place(drawing, first, { lane, above, folded: run.length })
    else for (const node of run) above = place(drawing, node, { lane, above, folded: 0 })
    run = []
  }
  for (let node: Node | null = head; node; node = node.main) {
    const isPlain = node !== head && node.main !== null && node.children.length === 1
    if (isPlain && node.siblings.length < 2) {
      run.push(node)
      continue
    }
    endRun()
    above = place(drawing, node, { lane, above, folded: 0 })
    const here = above
    for (const side of orderedLast(node.children)) {
      if (side === node.main) continue
      const row = rows.length
      drawChain(drawing, side, lane + 1, here)
      lines.push({
        ...{ kind: 'bend', fromRow: row - 1, toRow: row, fromLane: lane, lane: lane + 1 },
        isActive: side.isActive,
      })
    }
  }
}

/** Adds a row to a branch and returns its index. */
function place(
  { layout: { rows, lines }, rowOf, leafId }: Drawing,
  node: Node,
  { lane, above, folded }: { lane: number; above: number | null; folded: number },
): number {
  const row = rows.length
  const before = above === null ? undefined : rows[above]
  const isSameLane = node.parent?.main === node
  rows.push({
    ...{ id: node.message.id, message: node.message, folded, lane, isActive: node.isActive },
    ...{ position: node.siblings.indexOf(node) + 1, count: node.siblings.length },
    following: node.following,
    isHere: folded === 0 && node.message.id === leafId,
    ...{ up: above, down: null },
  })
  for (let at: Node | null = node, left = Math.max(1, folded); at && left > 0; at = at.main, left -= 1) {
    rowOf.set(at.message.id, row)
  }
  if (before && above !== null && isSameLane) {
    before.down = row
    lines.push({
      kind: folded > 0 || before.folded > 0 ? 'fold' : 'line',
      ...{ fromRow: above, toRow: row, fromLane: lane, lane, isActive: node.isActive },
    })
  }
  return row
}
