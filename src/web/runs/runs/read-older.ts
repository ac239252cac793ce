import type { RunEvent } from '#shared/runs/runs/events.ts'
import { applyOlderLine, emptyOlderMessage, NAVIGATE_AFTER_MS } from '#shared/runs/runs/older-reader.ts'

type OlderTold = {
  event(event: RunEvent, id: string | null): void
  /** Navigates after the end. */
  navigate?(to: string): void
}

/** Servers of the older protocol send JSON lines, which are converted to the same events. */
export async function readOlder(
  readText: (onText: (text: string) => void) => Promise<void>,
  told: OlderTold,
): Promise<'closed'> {
  const origin = { run_id: null, step_key: null, attempt: 1 }
  let message = emptyOlderMessage
  let rest = ''
  const readLine = (line: string) => {
    const before = message
    message = applyOlderLine(message, line)
    const content = message.content.slice(before.content.length)
    if (content && message.message_id === before.message_id)
      told.event({ event: 'response_chunk', ...origin, content }, null)
    if (!message.completed || before.completed) return
    const { message_id, navigate_to } = message
    const timestamp = new Date().toISOString()
    told.event(
      {
        event: 'agent_processing_complete',
        ...origin,
        message_id: message_id ?? '',
        stopped: false,
        timestamp,
      },
      null,
    )
    if (navigate_to) setTimeout(() => told.navigate?.(navigate_to), NAVIGATE_AFTER_MS)
  }
  await readText((text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) readLine(line)
  })
  readLine(rest)
  return 'closed'
}
