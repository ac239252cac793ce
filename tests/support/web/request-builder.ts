import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'

/** Returns a waiting input request. */
export function aRequest(patch: Partial<InputRequiredBlock> = {}): InputRequiredBlock {
  return {
    ...{ type: 'input_required', id: 'run-1:ask', checkpoint_name: 'waiting_for_input_after_step1' },
    ...{ prompt: 'Which one?', input_types: ['text'], state: 'waiting', input: null },
    ...{ created_at: '2026-01-01T00:00:00Z', deadline: null, kind: 'question', ...patch },
  }
}

/** Returns a calculation that waits for approval. */
export function anApproval(patch: Partial<InputRequiredBlock> = {}): InputRequiredBlock {
  return aRequest({
    ...{ id: 'run-1:approve', kind: 'approval', prompt: 'Allow?', input_types: ['json'] },
    tool: {
      ...{ tool_execution_id: 'e1', tool_id: 'calculator', tool_name: 'Calculator' },
      input: { a: 21, b: '2', operation: 'multiply' },
      input_schema: {
        type: 'object',
        properties: {
          a: { anyOf: [{ type: 'number' }, { type: 'string' }] },
          b: { anyOf: [{ type: 'number' }, { type: 'string' }] },
          operation: { type: 'string', enum: ['add', 'multiply'] },
        },
      },
    },
    ...patch,
  })
}
