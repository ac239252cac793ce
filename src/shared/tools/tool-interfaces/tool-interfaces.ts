import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { atMost, label, text, trimmed } from '../../platform/primitives.ts'

/** An integrity hash as browsers take it (W3C Subresource Integrity): one of SHA-256, SHA-384 or SHA-512. */
export const Sri = z
  .string()
  .check(z.maxLength(120, { abort: true }), z.regex(/^sha(256-[\w+/]{43}=|384-[\w+/]{64}|512-[\w+/]{86}==)$/))

/** An origin of the web, without a path. */
const Origin = trimmed(1, 200).check(z.regex(/^https?:\/\/[\w.:[\]-]+$/))

/** What an interface may do. */
const rights = {
  /** Origins it may reach; none without them. */
  connect: z._default(z.array(Origin).check(z.maxLength(10)), []),
  /** Other tools it may ask for, by id; each call goes through that tool's policy. */
  calls: z._default(z.array(text(1, 100)).check(z.maxLength(10)), []),
}
const url = trimmed(1, 2_000)
const fileName = label(1, 200)

/** An interface of a tool that comes from elsewhere: an ES module, and what it may do. */
export const RemoteUi = z.object({ kind: z.literal('remote'), url, sri: Sri, ...rights })
export type RemoteUi = z.infer<typeof RemoteUi>

/** One that was uploaded: its module is kept here, and held to its hash all the same. */
export const UploadedUi = z.object({
  kind: z.literal('uploaded'),
  file: z.object({ name: fileName, size: z.int() }),
  sri: Sri,
  ...rights,
})
export type UploadedUi = z.infer<typeof UploadedUi>

/** An interface a tool was given: a module, wherever it stands. */
export type ModuleUi = RemoteUi | UploadedUi
/** An interface that an MCP server keeps (MCP Apps): the address of a resource of it. */
export type AppUi = { kind: 'app'; uri: string }
/** Where a tool's own interface comes from. */
export type ToolUi = ModuleUi | AppUi

/** Bytes of a module. */
export const MOST_MODULE_BYTES = 2 * 1024 * 1024

/** Whether an interface may be shown: its address, or the hash of what came in place of what was approved. */
export const OpenedInterface = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('ready'),
    /** What the frame shows, relative to the API. */
    path: z.string(),
    /** It speaks the protocol of `messages.ts`, or that of MCP Apps. */
    speaks: z.enum(['atrium', 'mcp_apps']),
    /** Tools it may ask for besides its own, by what it calls them. */
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

/** Somewhat more than the largest module, so that the answer is a sentence of ours; as base64, four characters are three bytes. */
const MOST_CONTENT = 2 * MOST_MODULE_BYTES

/** A module by its address, or as a file. */
export const WantedInterface = z
  .object({
    url: z.optional(url),
    /** Without a hash, what stands at the address now is approved. */
    sri: z.nullish(Sri),
    /** Its bytes as base64; without them the file that is kept stays. */
    file: z.optional(
      z.object({ name: fileName, content: z.nullish(z.string().check(atMost(MOST_CONTENT))) }),
    ),
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
  bodyLimit: MOST_CONTENT + 100_000,
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
