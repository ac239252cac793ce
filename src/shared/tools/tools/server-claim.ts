import * as z from 'zod/mini'

/**
 * What an MCP server says about the effects of a tool: that it only reads, that it writes, two things that exclude each
 * other, or nothing. It is a claim and decides nothing: a tool of a server asks until a person allows it.
 */
export const ServerClaim = z.enum(['reads', 'writes', 'contradicts', 'silent'])
export type ServerClaim = z.infer<typeof ServerClaim>

/** Why a tool of a server waits for a new decision: it is new, it describes itself differently, or its server moved. */
export const ServerNews = z.enum(['new', 'changed', 'moved'])
export type ServerNews = z.infer<typeof ServerNews>
