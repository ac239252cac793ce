import type { ActiveBranch } from '#shared/chat/messages/messages.ts'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import type { Message } from '#shared/runs/runs/message.ts'

let count = 0

/** Returns a message with defaults. */
export function aMessage(patch: Partial<Message> = {}): Message {
  count += 1
  return {
    ...{ id: `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`, client_id: null },
    ...{ chat_session_id: 'session-1', parent_id: null, role: 'user', agent_type: null, model_name: null },
    ...{ content: 'Hello', blocks: [], status: 'completed', is_modified: false, metadata: {} },
    ...{ created_at: '2026-01-01T00:00:00.000Z', ...patch },
  }
}

/** Returns the newest page of a branch with these messages. */
export function aBranch(messages: Message[], more: Partial<ActiveBranch> = {}): ActiveBranch {
  const branch_id = messages.at(-1)?.id ?? 'default'
  return {
    ...{ active_branch: messages, branch_id, total: messages.length, start: 0, has_more: false },
    ...{ forks: [], links: [], branch_number: 1, branch_count: 1, ...more },
  }
}

/** Returns a session's details. */
export function aChat(patch: Partial<Session> = {}): Session {
  return {
    ...{ id: 'session-1', title: 'Prices', status: 'COMPLETED', created_at: '2026-01-01T00:00:00.000Z' },
    ...{
      updated_at: '2026-01-01T00:00:00.000Z',
      model_name: 'openai/gpt-4o',
      documents: [],
      session_metadata: {},
    },
    ...{
      agent_status: null,
      is_stopped: false,
      processing_task_id: null,
      pending_input: null,
      preview: null,
    },
    ...{ pin_position: null, is_archived: false, is_unread: false, tags: [] },
    ...patch,
  }
}
