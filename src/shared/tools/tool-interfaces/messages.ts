import * as z from 'zod/mini'
import { record, text } from '../../platform/primitives.ts'
import { ToolStatus } from '../../runs/runs/blocks.ts'

/** Maximum messages per second, and in total; an interface that sends more is stopped. */
export const MAX_MESSAGES_PER_SECOND = 60
export const MAX_MESSAGES_IN_TOTAL = 5_000
/** Maximum length of a call's input, in characters of JSON. */
export const MAX_CALL_INPUT = 64_000
/** Maximum calls per minute from an interface; they run one at a time. */
export const MAX_CALLS_PER_MINUTE = 20
/** Maximum height of an interface in pixels; taller content scrolls in its frame. */
export const MAX_HEIGHT = 1_200

/** A message from a tool interface to the page, sent with `parent.postMessage`. */
export const InterfaceMessage = z.discriminatedUnion('type', [
  /** The interface is ready; `init` follows. */
  z.object({ type: z.literal('ready') }),
  /** Requests a height in pixels. */
  z.object({ type: z.literal('resize'), height: z.number().check(z.gte(0), z.lte(1_000_000)) }),
  /** Requests a call of its own tool or a declared one. The answer has the same `id`. */
  z.object({
    type: z.literal('call'),
    id: text(1, 100),
    tool: z.optional(text(1, 100)),
    input: record(200, z.unknown()),
  }),
])
export type InterfaceMessage = z.infer<typeof InterfaceMessage>

const look = { language: z.enum(['en', 'fr']), theme: z.enum(['light', 'dark']) }

/** A message from the page to a tool interface. */
export const PageMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('init'),
    protocol: z.literal(1),
    tool: z.object({ id: z.string(), name: z.string() }),
    ...look,
    status: ToolStatus,
    input: z.unknown(),
    /** Null until there is a result. */
    result: z.unknown(),
  }),
  z.object({ type: z.literal('input'), input: z.unknown() }),
  /** The state of the call or the look of the page changed. */
  z.object({ type: z.literal('state'), status: ToolStatus, ...look }),
  z.object({ type: z.literal('result'), result: z.unknown() }),
  /** Result of a requested call; one of the two fields is null. */
  z.object({
    type: z.literal('answer'),
    id: z.string(),
    result: z.unknown(),
    error: z.nullable(z.string()),
  }),
])
export type PageMessage = z.infer<typeof PageMessage>
