import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { atMost, label, text, trimmed } from '../../platform/primitives.ts'

/** An integrity hash (W3C Subresource Integrity): SHA-256, SHA-384 or SHA-512. */
export const Sri = z
  .string()
  .check(z.maxLength(120, { abort: true }), z.regex(/^sha(256-[\w+/]{43}=|384-[\w+/]{64}|512-[\w+/]{86}==)$/))

/** A web origin, without a path. */
const Origin = trimmed(1, 200).check(z.regex(/^https?:\/\/[\w.:[\]-]+$/))

/** Permissions of an interface. */
const rights = {
  /** Origins it may connect to; none by default. */
  connect: z._default(z.array(Origin).check(z.maxLength(10)), []),
  /** Ids of other tools it may call; each call follows that tool's policy. */
  calls: z._default(z.array(text(1, 100)).check(z.maxLength(10)), []),
}
const url = trimmed(1, 2_000)
const fileName = label(1, 200)

/** A remote tool interface: an ES module and its permissions. */
export const RemoteUi = z.object({ kind: z.literal('remote'), url, sri: Sri, ...rights })
export type RemoteUi = z.infer<typeof RemoteUi>

/** An uploaded interface. Its module is stored here and also checked against its hash. */
export const UploadedUi = z.object({
  kind: z.literal('uploaded'),
  file: z.object({ name: fileName, size: z.int() }),
  sri: Sri,
  ...rights,
})
export type UploadedUi = z.infer<typeof UploadedUi>

/** A tool interface in the form of a module. */
export type ModuleUi = RemoteUi | UploadedUi
/** An interface on an MCP server (MCP Apps), by the address of its resource. */
export type AppUi = { kind: 'app'; uri: string }
/** Source of a tool's interface. */
export type ToolUi = ModuleUi | AppUi

/** Maximum size of a module in bytes. */
export const MAX_MODULE_BYTES = 2 * 1024 * 1024

/** Result of opening an interface: its address, or the new hash when the module differs from the approved one. */
export const OpenedInterface = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('ready'),
    /** Path of the frame's content, relative to the API. */
    path: z.string(),
    /** Protocol of the interface: that of `messages.ts`, or MCP Apps. */
    speaks: z.enum(['atrium', 'mcp_apps']),
    /** Other tools it may call, by its own names for them. */
    calls: z.record(z.string(), z.string()),
  }),
  z.object({ state: z.literal('changed'), approved: z.string(), received: z.string() }),
])
export type OpenedInterface = z.infer<typeof OpenedInterface>

export const openInterface = route({
  method: 'POST',
  path: '/tools/:toolId/interface',
  access: 'user',
  fails: ['conflict'],
  may: 'read tool',
  summary: 'Fetch the interface of a tool, check its hash, and say where a frame finds it for twelve hours',
  params: z.object({ toolId: text(1, 100) }),
  answer: OpenedInterface,
})

/** Above the maximum module size in Base64, so that our own error is returned. */
const MAX_CONTENT = 2 * MAX_MODULE_BYTES

/** A module by address, or as a file. */
export const WantedInterface = z
  .object({
    url: z.optional(url),
    /** Omit to approve the module currently at the address. */
    sri: z.nullish(Sri),
    /** Bytes in Base64; omit to keep the stored file. */
    file: z.optional(z.object({ name: fileName, content: z.nullish(z.string().check(atMost(MAX_CONTENT))) })),
    ...rights,
  })
  .check(
    z.refine(({ url, file }) => (url === undefined) !== (file === undefined), {
      error: 'An interface has an address or a file, and not both.',
    }),
  )
export type WantedInterface = z.infer<typeof WantedInterface>

export const setInterface = route({
  method: 'PUT',
  path: '/tools/:toolId/interface',
  access: 'user',
  fails: ['conflict', 'quota_exceeded'],
  may: 'write tool',
  summary:
    'Give a tool of one’s own an interface, or take it away; its code is fetched, or comes along, and its hash is approved',
  bodyLimit: MAX_CONTENT + 100_000,
  params: z.object({ toolId: text(1, 100) }),
  body: z.object({ ui: z.nullable(WantedInterface) }),
  answer: z.object({ ui: z.nullable(z.discriminatedUnion('kind', [RemoteUi, UploadedUi])) }),
})

const TicketParams = z.object({ ticket: text(1, 500) })

export const readInterface = route({
  method: 'GET',
  path: '/tool-interfaces/:ticket',
  access: 'public',
  fails: ['conflict', 'forbidden', 'unauthenticated', 'invalid', 'too_large'],
  sends: 'text/html',
  may: null,
  summary:
    'The page of an interface for who has a ticket; it has no origin and reaches what its tool declares',
  params: TicketParams,
})

export const readInterfaceModule = route({
  method: 'GET',
  path: '/tool-interfaces/:ticket/module',
  access: 'public',
  fails: ['conflict', 'forbidden', 'unauthenticated', 'invalid', 'too_large'],
  sends: 'text/javascript',
  may: null,
  summary: 'The code of an interface, as its hash says it is',
  params: TicketParams,
})
