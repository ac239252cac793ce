import * as z from 'zod/mini'

/**
 * When a call that sends data out of the installation needs approval, in addition to its tool's policy:
 * always, only after the model has read text by others, or never.
 */
export const OutwardCalls = z.enum(['strict', 'ask', 'off'])
export type OutwardCalls = z.infer<typeof OutwardCalls>

/** Text by other people that a model has read. */
export const ReadText = z.object({
  kind: z.enum([
    'document',
    'tool',
    'tool_description',
    'assistant',
    'project',
    'part',
    'earlier',
    'interface',
  ]),
  /** Name of the document, tool or assistant; empty when it has none. */
  name: z.string(),
})
export type ReadText = z.infer<typeof ReadText>

/** The data that a call sends, exactly as it will be sent. */
export const Sending = z.object({
  /** Receiving hosts, tried in order until one answers. `stdio:` and a command for a local program. */
  hosts: z.array(z.string()),
  method: z.string(),
  /** Without secrets; null when it depends on the host. */
  address: z.nullable(z.string()),
  /** Headers and cookies that contain arguments. */
  headers: z.record(z.string(), z.string()),
  body: z.nullable(z.string()),
})
export type Sending = z.infer<typeof Sending>

/** Details of an outgoing call, shown to the person who approves it. */
export const Outward = z.object({
  ...Sending.shape,
  /** At most 5 of each kind; empty when nothing was read. */
  read: z.array(ReadText),
  /** True when the company's rule requires the approval, not the tool's policy. */
  by_rule: z.boolean(),
  /** True when the person may allow further calls of this tool to the same hosts in this chat. */
  can_allow_chat: z.boolean(),
})
export type Outward = z.infer<typeof Outward>

/** Settings that a tool's contract needs to describe the data it sends. */
export type OutwardPlaces = {
  /** The settings named in the contract. */
  settings: Readonly<Record<string, string>>
  language: 'en' | 'fr'
  /** Hosts of the search engines, in lookup order. */
  engines: readonly string[]
}

/** Returns the host of an address, or the input when it is no address. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}
