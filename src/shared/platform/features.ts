import * as z from 'zod/mini'

/** Features that can be restricted to some people. Web search and code execution are granted as tools instead. */
export const features = [
  ...(['api_keys', 'embeds', 'webhooks', 'own_tools', 'mcp_servers'] as const),
  ...(['uploads', 'transcription', 'exports', 'links', 'deep_research', 'temporary_chats'] as const),
  'connectors',
] as const

export const Feature = z.enum(features)
export type Feature = z.infer<typeof Feature>
