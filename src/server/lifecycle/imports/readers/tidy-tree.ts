import { Damage } from '../archive/damage.ts'
import type { ForeignMessage } from './foreign.ts'

/** Messages of one chat. */
export const MAX_MESSAGES = 20_000

/** A node of an exported tree; `message` is null for a hidden one, whose replies move up to the message before it. */
export type ForeignNode = { id: string; parent: string | null; message: ForeignMessage | null }

/**
 * Returns the shown messages of a tree, parents first. An assistant's texts that only tool calls separate become one message.
 * `leaf` is the shown message at or before the given node. @throws Damage `loop`, `too_many`, `empty`
 */
export function tidyTree(
  nodes: readonly ForeignNode[],
  leaf: string | null,
): { messages: ForeignMessage[]; leaf: string | null } {
  assertNodes(nodes.length)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const shownAt = findShown(nodes, byId)
  const children = new Map<string | null, ForeignMessage[]>()
  for (const { id, parent, message } of nodes) {
    if (!message || byId.get(id)?.message !== message) continue
    const above = parent === null ? null : (shownAt.get(parent) ?? null)
    const siblings = children.get(above)
    if (siblings) siblings.push(message)
    else children.set(above, [message])
  }
  const { messages, mergedInto } = inOrder(children)
  if (messages.length === 0) throw new Damage('empty')
  if (messages.length > MAX_MESSAGES) throw new Damage('too_many')
  const last = leaf === null ? null : (shownAt.get(leaf) ?? null)
  return { messages, leaf: last === null ? null : (mergedInto.get(last) ?? last) }
}

/** Hidden nodes are at most as many as messages. @throws Damage `too_many` */
export function assertNodes(count: number): void {
  if (count > 2 * MAX_MESSAGES) throw new Damage('too_many')
}

/** Returns the id of the shown message at or above each node. Does not recurse, whatever the depth. @throws Damage `loop` */
function findShown(nodes: readonly ForeignNode[], byId: ReadonlyMap<string, ForeignNode>) {
  const shownAt = new Map<string, string | null>()
  for (const start of nodes) {
    const path: string[] = []
    const onPath = new Set<string>()
    let node: ForeignNode | undefined = start
    while (node && !shownAt.has(node.id)) {
      if (onPath.has(node.id)) throw new Damage('loop')
      onPath.add(node.id)
      path.push(node.id)
      node = node.parent === null ? undefined : byId.get(node.parent)
    }
    let shown = node ? (shownAt.get(node.id) ?? null) : null
    for (const id of path.reverse()) {
      if (byId.get(id)?.message) shown = id
      shownAt.set(id, shown)
    }
  }
  return shownAt
}

/** Orders messages with parents first, and merges an assistant's only reply to itself into the text before it. */
function inOrder(children: ReadonlyMap<string | null, ForeignMessage[]>) {
  const messages: ForeignMessage[] = []
  const mergedInto = new Map<string, string>()
  const open = (children.get(null) ?? []).map((message) => ({ ...message, parent: null as string | null }))
  const from = new Map<string, ForeignMessage>()
  for (const message of open) {
    const parent = message.parent === null ? undefined : from.get(message.parent)
    const isOnly = (children.get(message.parent) ?? []).length === 1
    let target: ForeignMessage = message
    if (parent && isOnly && parent.role === 'assistant' && message.role === 'assistant') {
      join(parent, message)
      mergedInto.set(message.id, parent.id)
      target = parent
    } else {
      message.parent = parent?.id ?? null
      messages.push(message)
    }
    from.set(message.id, target)
    for (const child of children.get(message.id) ?? []) open.push({ ...child, parent: message.id })
  }
  return { messages, mergedInto }
}

function join(target: ForeignMessage, more: ForeignMessage): void {
  // Copying what is joined already would take quadratic time.
  target.text += target.text !== '' && more.text !== '' ? `\n\n${more.text}` : more.text
  for (const file of more.files) target.files.push(file)
  for (const page of more.sources) target.sources.push(page)
  target.model ??= more.model
}
