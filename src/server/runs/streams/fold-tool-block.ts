import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { updateTool } from '#shared/runs/runs/reduce/reduce-tools.ts'
import { readEvents } from '../events/events.ts'
import { type Engine, loadRecords } from '../runs/runs.ts'

type Which = {
  id: string
  run_id: string
  finished_at: Date | null
}

/**
 * Folds one tool execution from its run's events: live from this process, from stored events of another process,
 * or from the journal once the execution is over. Returns null when there are no events for it.
 */
export async function foldToolBlock(engine: Engine, which: Which): Promise<ToolBlock | null> {
  const { id, run_id: runId, finished_at } = which
  const held = engine.live.get(runId)
  // The view of a run drops the data of ended calls.
  if (held && finished_at === null) {
    const block = held.publisher.view.blocks.find((block) => block.type === 'tool' && block.id === id)
    return block?.type === 'tool' ? block : null
  }
  const { db } = engine.deps
  if (finished_at !== null) {
    const records = await loadRecords(db, runId)
    return records.reduce<ToolBlock | null>((block, { events }) => fold(block, events, id), null)
  }
  let block: ToolBlock | null = null
  for await (const page of readEvents(db, { runId, after: 0 })) {
    block = fold(
      block,
      page.map(({ event }) => event),
      id,
    )
  }
  return block
}

function fold(before: ToolBlock | null, events: RunEvent[], id: string): ToolBlock | null {
  let block = before
  for (const event of events) {
    if (event.event === 'task_stream_init') {
      const known = event.view?.blocks.find((known) => known.type === 'tool' && known.id === id)
      block = known?.type === 'tool' ? known : null
    }
    const isOurs =
      event.event === 'tool_update' ||
      event.event === 'tool_partial_update' ||
      event.event === 'tool_input_required'
    if (isOurs && event.tool_execution_id === id) block = updateTool(block, event) ?? block
  }
  return block
}
