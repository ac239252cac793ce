import * as z from 'zod/mini'

/** What of the product can be kept to some people; what is a tool (searching the web, running code) is granted as one. */
export const features = [
  ...(['api_keys', 'embeds', 'webhooks', 'own_tools', 'mcp_servers'] as const),
  ...(['uploads', 'transcription', 'exports', 'links', 'deep_research'] as const),
] as const

export const Feature = z.enum(features)
export type Feature = z.infer<typeof Feature>
