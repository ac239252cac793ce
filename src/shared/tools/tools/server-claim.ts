import * as z from 'zod/mini'

/**
 * An MCP server's claim about a tool's effects: read-only, writing, contradictory, or none. The claim grants nothing:
 * the tool asks until a person allows it.
 */
export const ServerClaim = z.enum(['reads', 'writes', 'contradicts', 'silent'])
export type ServerClaim = z.infer<typeof ServerClaim>

/** Reason a server tool waits for a decision: it is new, its description changed, or its server moved. */
export const ServerNews = z.enum(['new', 'changed', 'moved'])
export type ServerNews = z.infer<typeof ServerNews>
