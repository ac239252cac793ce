import type { Tool } from '#shared/tools/tools.ts'

/** A tool as the server describes it. For tests. */
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
    ...{ policy: 'auto', ...patch },
  }
}
