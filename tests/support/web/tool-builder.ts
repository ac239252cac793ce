import type { PastExecution, Tool, ToolExecution } from '#shared/tools/tools/tools.ts'

/** Returns a tool as the server describes it. */
export function aTool(patch: Partial<Tool> & { id: string }): Tool {
  return {
    ...{
      kind: 'built_in' as const,
      name: patch.id,
      ui_name: patch.id,
      description: 'Does something.',
      icon: null,
      ui_location: null,
    },
    ...{ input_schema: { properties: {} }, example_responses: [], repeatable: true, limit_seconds: 30 },
    ...{ price: 'free', missing: [], policy: 'auto', own: false, version: null, account: null },
    ...{ said: null, shared_by: null, may_allow: true, ...patch },
  }
}

/** Returns a completed execution. */
export function anExecution(patch: Partial<ToolExecution> = {}): ToolExecution {
  return {
    ...{ id: 'e1', tool_id: 'weather', run_id: 'r1', session_id: null, status: 'complete', input: null },
    ...{ result: null, error: null, events: [], request: null },
    ...{ created_at: '2026-01-01T00:00:00Z', finished_at: '2026-01-01T00:00:18Z', ...patch },
  }
}

/** Returns its form in a list. */
export function aPastExecution(patch: Partial<PastExecution> = {}): PastExecution {
  return {
    ...{ id: 'e1', tool_id: 'calculator', session_id: null, session_title: null, status: 'complete' },
    ...{ gave_up: false, waits: false, input: null, error: null, worked_ms: 18_000 },
    ...{ created_at: '2026-01-01T09:30:00Z', finished_at: '2026-01-01T09:30:18Z', ...patch },
  }
}
