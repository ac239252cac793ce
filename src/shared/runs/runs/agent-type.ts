import * as z from 'zod/mini'

export const AgentType = z.enum([
  ...(['single_turn', 'multi_turn', 'plan_and_act', 'orchestrator', 'deep_research'] as const),
])
export type AgentType = z.infer<typeof AgentType>
