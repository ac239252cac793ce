import type { ToolPolicy } from '#shared/tools/policy.ts'
import type { Tool } from '#shared/tools/tools.ts'
import type { LoadedTool } from '../tools/tools.ts'

type Resolve = (toolId: string, fallback?: ToolPolicy) => { policy: ToolPolicy }

/** A tool as it goes over the wire, with the policy that holds for the caller. */
export function describeTool({ contract, schema, hasCard }: LoadedTool, resolve: Resolve): Tool {
  const { id, name, description, icon = null, examples = [], repeatable, limitSeconds } = contract
  return {
    ...{
      id,
      kind: 'built_in' as const,
      name: id,
      ui_name: name,
      description,
      icon,
      repeatable,
      limit_seconds: limitSeconds,
    },
    ui_location: hasCard ? { kind: 'internal', name: id } : null,
    input_schema: { properties: {}, ...schema } as Tool['input_schema'],
    example_responses: examples.map((outputs) => ({ outputs })),
    policy: resolve(id, contract.policy).policy,
  }
}
