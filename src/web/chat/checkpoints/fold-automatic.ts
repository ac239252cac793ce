import type { Checkpoint } from '#shared/chat/checkpoints/checkpoints.ts'
import type { Pair } from './pair.ts'

/** A checkpoint of its own, or consecutive automatic ones. */
export type Row = { item: Checkpoint } | { folded: Checkpoint[] }

/**
 * Folds consecutive automatic checkpoints: those before a model call or a step. Those with a name, those chosen for
 * comparison, ends of steps and replies, and questions keep a row of their own. Nothing is folded if nothing else is left.
 */
export function foldAutomatic(list: readonly Checkpoint[], chosen: Pair): Row[] {
  const isFolded = (item: Checkpoint) => isAutomatic(item) && !chosen.includes(item.id)
  if (list.every(isFolded)) return list.map((item) => ({ item }))
  const rows: Row[] = []
  for (const item of list) {
    const last = rows.at(-1)
    if (!isFolded(item)) rows.push({ item })
    else if (last && 'folded' in last) last.folded.push(item)
    else rows.push({ folded: [item] })
  }
  return rows
}

const isAutomatic = ({ label, checkpoint_name }: Checkpoint) =>
  label === null && /(?:^|\/)(?:llm_checkpoint(?:_\d+)?|step\d+)$/.test(checkpoint_name)
