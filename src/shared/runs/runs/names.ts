import type { RunEventName } from './events.ts'

/** Event names of the second family, which `/events` uses for the same events. */
export const aliasOf: Partial<Record<RunEventName, string>> = {
  response_stream_start: 'agent_response_stream_start',
  response_chunk: 'agent_response_chunk',
  response_stream_end: 'agent_response_stream_end',
  agent_processing_error: 'agent_response_error',
}

const chatNames = new Map(Object.entries(aliasOf).map(([name, alias]) => [alias, name]))
chatNames.set('completed', 'agent_processing_complete')

/** Returns the chat stream's name for an event name of either family. */
export function chatName(name: string): string {
  return chatNames.get(name) ?? name
}

/** Returns true when a name belongs only to the second family. */
export function isAlias(name: string): boolean {
  return name !== 'completed' && chatNames.has(name)
}
