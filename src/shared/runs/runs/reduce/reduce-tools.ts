import { type ToolBlock, type ToolEvent, ToolStatus } from '../blocks.ts'
import type { RunEvent } from '../events.ts'

type ToolRunEvent = Extract<RunEvent, { event: `tool_${string}` }>

/** Returns a tool's block after one of its events; null when the execution is unknown. */
export function updateTool(block: ToolBlock | null, event: ToolRunEvent): ToolBlock | null {
  if (event.event === 'tool_update') return applyUpdate(block ?? announce(event), event)
  if (!block) return null
  if (event.event === 'tool_partial_update') return applyPartial(block, event)
  const { prompt } = event.data
  const data = { ...event.data, execution_id: event.tool_execution_id }
  return addEvent(block, { type: 'tool_input_required', message: prompt, data })
}

function announce({ tool_execution_id, tool_id, tool_name }: ToolUpdate): ToolBlock {
  return {
    ...{ type: 'tool', id: tool_execution_id, tool_id, tool_name, input: null },
    ...{ status: 'pending', result: null, error: null, events: [] },
  }
}

type ToolUpdate = Extract<ToolRunEvent, { event: 'tool_update' }>

function applyUpdate(block: ToolBlock, { type, data }: ToolUpdate): ToolBlock {
  const status = ToolStatus.safeParse(data.status)
  // A phase has its own status; only an update without a phase sets the status of the tool.
  const next = status.success && data.phase === undefined ? status.data : block.status
  const entry: ToolEvent = { type }
  if (data.phase !== undefined) entry.phase = data.phase
  if (data.status !== undefined) entry.status = data.status
  if (data.message !== undefined) entry.message = data.message
  if (data.data !== undefined) entry.data = data.data
  return {
    ...block,
    status: data.phase !== undefined && block.status === 'pending' ? 'processing' : next,
    input: data.input === undefined ? block.input : data.input,
    result: data.result === undefined ? block.result : data.result,
    ...(data.input_ref && { input_ref: data.input_ref }),
    ...(data.result_ref && { result_ref: data.result_ref }),
    error: data.error === undefined ? block.error : data.error,
    events: [...block.events, entry],
  }
}

type Partial = Extract<ToolRunEvent, { event: 'tool_partial_update' }>

/** Appends text to one entry; a later picture replaces the earlier one with the same index. */
function applyPartial(block: ToolBlock, { content, url, partial_image_index }: Partial): ToolBlock {
  const status = block.status === 'complete' ? block.status : ('streaming' as const)
  const last = block.events.at(-1)
  if (url !== undefined) {
    const data = { url, partial_image_index: partial_image_index ?? 0 }
    const at = block.events.findIndex(
      (entry) => entry.data?.url !== undefined && entry.data.partial_image_index === data.partial_image_index,
    )
    const entry: ToolEvent = { type: 'tool_partial_update', data }
    if (at < 0) return { ...addEvent(block, entry), status }
    return { ...block, status, events: block.events.with(at, entry) }
  }
  if (!content) return block
  if (last?.type === 'tool_partial_update' && typeof last.data?.content === 'string') {
    const grown = { ...last, data: { ...last.data, content: last.data.content + content } }
    return { ...block, status, events: block.events.with(-1, grown) }
  }
  return { ...addEvent(block, { type: 'tool_partial_update', data: { content } }), status }
}

function addEvent(block: ToolBlock, event: ToolEvent): ToolBlock {
  return { ...block, events: [...block.events, event] }
}
