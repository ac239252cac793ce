import type { RunEventName } from './events.ts'

/** The second family of names: what `/events` calls the same thing. */
export const aliasOf: Partial<Record<RunEventName, string>> = {
  response_stream_start: 'agent_response_stream_start',
  response_chunk: 'agent_response_chunk',
  response_stream_end: 'agent_response_stream_end',
  agent_processing_error: 'agent_response_error',
}

const chatNames = new Map(Object.entries(aliasOf).map(([name, alias]) => [alias, name]))
chatNames.set('completed', 'agent_processing_complete')

/** The chat streams' name of an event, in either family. */
export function chatName(name: string): string {
  return chatNames.get(name) ?? name
}

/** Whether a name belongs to the second family only. */
export function isAlias(name: string): boolean {
  return name !== 'completed' && chatNames.has(name)
}
