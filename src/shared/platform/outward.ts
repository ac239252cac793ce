import * as z from 'zod/mini'

/**
 * When a call that sends something out of the house needs a person's approval, beside what the policy of its tool says:
 * always, when the model has read text of others, or never.
 */
export const OutwardCalls = z.enum(['strict', 'ask', 'off'])
export type OutwardCalls = z.infer<typeof OutwardCalls>

/** Text a model has read that its person did not write. */
export const ReadText = z.object({
  kind: z.enum(['document', 'tool', 'tool_description', 'assistant', 'part', 'earlier', 'interface']),
  /** Of the document, tool or assistant; empty where there is none to name. */
  name: z.string(),
})
export type ReadText = z.infer<typeof ReadText>

/** What a call sends, as it will be sent. */
export const Sending = z.object({
  /** Hosts that receive it. Several: one after the other, until one answers. `stdio:` and a command for a local program. */
  hosts: z.array(z.string()),
  method: z.string(),
  /** Without secrets; null where it depends on the host. */
  address: z.nullable(z.string()),
  /** Headers and cookies that arguments are written into. */
  headers: z.record(z.string(), z.string()),
  body: z.nullable(z.string()),
})
export type Sending = z.infer<typeof Sending>

/** What a person is shown of a call that leaves the house. */
export const Outward = z.object({
  ...Sending.shape,
  /** At most 5 of each kind; empty where nothing was read. */
  read: z.array(ReadText),
  /** The rule of the company asks, not the policy of the tool. */
  by_rule: z.boolean(),
  /** The person may allow further calls of this tool to the same hosts in this chat. */
  can_allow_chat: z.boolean(),
})
export type Outward = z.infer<typeof Outward>

/** What the contract of a tool needs to know to say what a call sends. */
export type OutwardPlaces = {
  /** The settings its contract names. */
  settings: Readonly<Record<string, string>>
  language: 'en' | 'fr'
  /** Hosts of the search engines, in the order they are asked. */
  engines: readonly string[]
}

/** The host of an address, or the address itself when it is none. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}
