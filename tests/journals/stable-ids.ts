import { createHash } from 'node:crypto'
import { executionId } from '../../src/server/runs/runs/runs.ts'
import { STANDALONE_CALL } from '../../src/server/tools/tools/tools.ts'

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g

/**
 * Replaces random ids of a journal in order of appearance, and recomputes ids that are hashes of them (tool calls, parts of
 * runs). The same case then always has the same ids, which no other case has.
 */
export function nameIds<T>(journal: T, name: string, known: ReadonlyMap<string, string>): T {
  const text = JSON.stringify(journal)
  const found = [...new Map([...text.matchAll(uuid)].map(([id, version]) => [id, version ?? '']))]
  const ids = new Map(known)
  const prefix = createHash('sha256').update(name).digest('hex').slice(0, 8)
  for (const [id, version] of found) {
    if (version === '8' || ids.has(id)) continue
    ids.set(id, `${prefix}-0000-4000-8000-${String(ids.size).padStart(12, '0')}`)
  }
  nameHashes(
    ids,
    found.flatMap(([id, version]) => (version === '8' ? [id] : [])),
    wordsOf(journal),
  )
  return JSON.parse(text.replaceAll(uuid, (id) => ids.get(id) ?? id)) as T
}

/** A hash may be based on another one. @throws if one is based on something that is not in the journal */
function nameHashes(ids: Map<string, string>, hashes: string[], words: Set<string>): void {
  let left = hashes
  while (left.length > 0) {
    const made = new Map<string, string>()
    for (const [id, named] of ids) {
      for (const word of words) made.set(executionId(id, word), executionId(named, ids.get(word) ?? word))
    }
    const unknown = left.filter((id) => !made.has(id))
    if (unknown.length === left.length) throw new Error(`Unknown basis of these ids: ${unknown}`)
    for (const id of left) ids.set(id, made.get(id) ?? id)
    for (const id of unknown) ids.delete(id)
    left = unknown
  }
}

/** Returns everything an id may be a hash of. */
function wordsOf(value: unknown, words = new Set<string>([STANDALONE_CALL])): Set<string> {
  if (typeof value === 'string' && value.length < 200) {
    const key = value.replace(/^tool:/, '')
    for (const word of [value, key, `child\n${value}`]) words.add(word)
    const part = /\bsub\d+/.exec(value)
    if (part) words.add(`child\n${part[0]}`)
  }
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) wordsOf(inner, words)
  return words
}
