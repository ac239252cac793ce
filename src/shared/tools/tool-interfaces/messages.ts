import * as z from 'zod/mini'
import { record, text } from '../../platform/primitives.ts'
import { ToolStatus } from '../../runs/runs/blocks.ts'

/** Messages of one second, and of all the time an interface is shown; one that sends more is stopped. */
export const MOST_A_SECOND = 60
export const MOST_IN_ALL = 5_000
/** Characters of the input of a call, as JSON. */
export const LONGEST_INPUT = 64_000
/** Calls an interface may ask for in a minute, one after the other. */
export const CALLS_A_MINUTE = 20
/** Pixels an interface may be high; what is higher scrolls inside of its frame. */
export const TALLEST = 1_200

/** What the interface of a tool says to the page, with `parent.postMessage`. */
export const InterfaceMessage = z.discriminatedUnion('type', [
  /** It listens: `init` follows. */
  z.object({ type: z.literal('ready') }),
  /** How many pixels it would like to be high. */
  z.object({ type: z.literal('resize'), height: z.number().check(z.gte(0), z.lte(1_000_000)) }),
  /** Wants a tool called: its own, or one it declares. The answer names the same `id`. */
  z.object({
    type: z.literal('call'),
    id: text(1, 100),
    tool: z.optional(text(1, 100)),
    input: record(200, z.unknown()),
  }),
])
export type InterfaceMessage = z.infer<typeof InterfaceMessage>

const look = { language: z.enum(['en', 'fr']), theme: z.enum(['light', 'dark']) }

/** What the page says to the interface of a tool. */
export const PageMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('init'),
    protocol: z.literal(1),
    tool: z.object({ id: z.string(), name: z.string() }),
    ...look,
    status: ToolStatus,
    input: z.unknown(),
    /** Null until there is one. */
    result: z.unknown(),
  }),
  z.object({ type: z.literal('input'), input: z.unknown() }),
  /** The call is in another state, or the page looks another way. */
  z.object({ type: z.literal('state'), status: ToolStatus, ...look }),
  z.object({ type: z.literal('result'), result: z.unknown() }),
  /** What came of a call that was asked for; one of the two is null. */
  z.object({
    type: z.literal('answer'),
    id: z.string(),
    result: z.unknown(),
    error: z.nullable(z.string()),
  }),
])
export type PageMessage = z.infer<typeof PageMessage>
