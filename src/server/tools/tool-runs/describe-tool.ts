import type { ToolPolicy } from '#shared/tools/tools/policy.ts'
import type { MissingPart } from '#shared/tools/tools/tool-facts.ts'
import type { Tool } from '#shared/tools/tools/tools.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { mayRunUnasked } from '../tool-policies/tool-policies.ts'
import type { LoadedTool } from '../tools/tools.ts'
import { missingFor, priceOf, type ToolFacts } from './tool-facts.ts'

type Resolve = (tool: Pick<LoadedTool, 'contract' | 'made'>) => { policy: ToolPolicy }

/** Returns a tool for the wire, with the policy that applies to the caller. */
export function describeTool(tool: LoadedTool, user: Caller, resolve: Resolve, facts: ToolFacts): Tool {
  const userId = user.id
  const { contract, schema, hasCard, made } = tool
  const { id, name, description, icon = null, examples = [], repeatable, limitSeconds } = contract
  const { ui } = contract
  const card = hasCard ? { kind: 'internal' as const, name: id } : null
  return {
    ...{
      id,
      kind: made?.kind ?? ('built_in' as const),
      name: id,
      ui_name: name,
      description,
      icon,
      repeatable,
      limit_seconds: limitSeconds,
    },
    ...{
      price: priceOf(contract, facts),
      missing: [...switchedOff(tool, userId), ...missingFor(contract, facts)],
    },
    ui_location: ui ?? card,
    input_schema: { properties: {}, ...schema } as Tool['input_schema'],
    example_responses: examples.map((outputs) => ({ outputs })),
    policy: resolve(tool).policy,
    ...{ own: made?.userId === userId, version: made?.version ?? null },
    shared_by: made?.sharedBy ?? null,
    said: made?.said ?? null,
    may_allow: mayRunUnasked(user, tool),
    account: made?.account ? { set_id: made.setId, service: made.account } : null,
  }
}

/** Only people who may switch it on receive the address of its server's page. */
function switchedOff({ made }: LoadedTool, userId: string): MissingPart[] {
  if (!made || made.isOn) return []
  return [{ part: 'switch', hint: made.userId === userId ? made.setId : null }]
}
