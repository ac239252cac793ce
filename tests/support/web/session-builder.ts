import type { Session } from '#shared/chat/sessions/sessions.ts'

/** Returns a session as the server sends it, with defaults. */
export function aSession(given: Partial<Session>): Session {
  const id = given.id ?? crypto.randomUUID()
  return {
    id,
    title: `Chat ${id.slice(0, 8)}`,
    status: 'COMPLETED',
    created_at: '2026-11-01T08:00:00.000Z',
    updated_at: '2026-11-01T08:00:00.000Z',
    model_name: null,
    documents: [],
    session_metadata: {},
    agent_status: null,
    is_stopped: false,
    processing_task_id: null,
    pending_input: null,
    preview: null,
    pin_position: null,
    is_archived: false,
    is_unread: false,
    tags: [],
    ...given,
  }
}
