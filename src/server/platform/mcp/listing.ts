import { ProtocolError } from '@modelcontextprotocol/client'
import { cleanLabel, cleanProse, isCleanLabel } from '#shared/platform/labels.ts'
import type { ServerClaim } from '#shared/tools/tools/server-claim.ts'
import { toJson } from '../db/db.ts'
import { bounds } from './bounds.ts'
import { askOptions, type Connection } from './connection.ts'
import { LEFT_OUT, REFUSED } from './messages/tidy-message.ts'
import type { RefusedTool } from './messages/tidy-tool.ts'
import { markOf, readClaim } from './read-claim.ts'

/** A tool as described by its server, within the limits. */
export type ListedTool = {
  name: string
  title: string
  description: string
  input_schema: Record<string, unknown>
  /** The effects the tool claims to have. */
  claim: ServerClaim
  /** The tool claims to be idempotent. */
  repeats: boolean
  /** Hash of the whole description. */
  mark: string
  /** Address of its interface (MCP Apps), and whether only the interface may call it. */
  ui: string | null
  for_models: boolean
}
export type ListedPrompt = {
  name: string
  title: string
  description: string
  arguments: { name: string; description: string; required: boolean }[]
}
export type ListedResource = {
  uri: string
  name: string
  description: string
  media_type: string | null
  /** Whether the address is a template. */
  template: boolean
}
export type Listing = {
  server: { name: string; version: string; protocol: string; offers: string[]; instructions: string }
  tools: ListedTool[]
  prompts: ListedPrompt[]
  resources: ListedResource[]
  /** Number of entries omitted because there were too many or they were too large. */
  left: number
  /** Omitted tools, with the reasons. */
  refused: RefusedTool[]
}

/** Reads everything a server offers, within the limits. */
export async function readListing({ client }: Connection, signal?: AbortSignal): Promise<Listing> {
  const options = askOptions(signal)
  const has = client.getServerCapabilities() ?? {}
  // Some servers announce nothing and offer tools all the same.
  const isSilent = !has.tools && !has.prompts && !has.resources
  const readTools = () =>
    readPages(bounds.tools, async (params) => {
      const page = await client.request({ method: 'tools/list', params }, options)
      return { ...page, entries: page.tools }
    })
  const tools = has.tools ? await readTools() : isSilent ? await readTools().catch(passOver) : nothing
  const prompts = has.prompts
    ? await readPages(bounds.prompts, async (params) => {
        const page = await client.request({ method: 'prompts/list', params }, options)
        return { ...page, entries: page.prompts }
      }).catch(passOver)
    : nothing
  const resources = has.resources
    ? await readPages(bounds.resources, async (params) => {
        const page = await client.request({ method: 'resources/list', params }, options)
        return { ...page, entries: page.resources }
      }).catch(passOver)
    : nothing
  const templates = has.resources
    ? await readPages(bounds.resources, async (params) => {
        const asked = { method: 'resources/templates/list' as const, params }
        const page = await client.request(asked, options)
        return { ...page, entries: page.resourceTemplates }
      }).catch(passOver)
    : nothing
  const fitting = tools.entries.filter(fits).slice(0, bounds.tools)
  const fittingPrompts = prompts.entries
    .filter(({ name }) => name.length <= 2 * bounds.name && isCleanLabel(name))
    .slice(0, bounds.prompts)
  const all = [
    ...resources.entries.map((one) => toResource({ ...one, uri: one.uri }, false)),
    ...templates.entries.map((one) => toResource({ ...one, uri: one.uriTemplate }, true)),
  ]
  const fittingResources = all.filter(({ uri }) => uri.length <= bounds.address).slice(0, bounds.resources)
  const { name = '', version = '' } = client.getServerVersion() ?? {}
  return {
    server: {
      ...{ name: cutLabel(name, 200), version: cutLabel(version, 100) },
      protocol: client.getNegotiatedProtocolVersion() ?? '',
      offers: Object.keys(has).slice(0, 20),
      instructions: cut(client.getInstructions() ?? '', bounds.description),
    },
    tools: fitting.map(toTool),
    prompts: fittingPrompts.map(({ name, title, description, arguments: asked = [] }) => ({
      ...{
        name,
        title: cutLabel(title ?? name, 200),
        description: cut(description ?? '', bounds.description),
      },
      arguments: asked.slice(0, 50).map((one) => ({
        ...{ name: cut(one.name, 200), description: cut(one.description ?? '', 1_000) },
        required: one.required ?? false,
      })),
    })),
    resources: fittingResources,
    refused: refusedOf(tools),
    left:
      [tools, prompts, resources, templates].reduce((sum, list) => sum + list.left + list.entries.length, 0) -
      (fitting.length + fittingPrompts.length + fittingResources.length),
  }
}

type Read<Entry> = { entries: Entry[]; left: number; refused: RefusedTool[] }
type Page<Entry> = {
  entries: Entry[]
  nextCursor?: string | undefined
  _meta?: Record<string, unknown> | undefined
}
const nothing = { entries: [], left: 0, refused: [] }

/** Some servers announce a list that they do not implement. The other lists are read. @throws other errors */
function passOver(error: unknown): Read<never> {
  if (error instanceof ProtocolError) return nothing
  throw error
}

/** Reads the pages of a list up to the limit. Also returns how many entries were omitted earlier. */
async function readPages<Entry>(
  most: number,
  ask: (params: { cursor?: string }) => Promise<Page<Entry>>,
): Promise<Read<Entry>> {
  const entries: Entry[] = []
  let left = 0
  const refused: RefusedTool[] = []
  let cursor: string | undefined
  for (let page = 0; page < bounds.pages && entries.length <= most; page += 1) {
    const read = await ask(cursor === undefined ? {} : { cursor }).catch((error) => {
      if (page === 0 || !(error instanceof ProtocolError)) throw error
      return null
    })
    if (read === null) {
      left += 1
      break
    }
    const { entries: more, nextCursor, _meta } = read
    entries.push(...more)
    left += Number(_meta?.[LEFT_OUT] ?? 0) || 0
    refused.push(...((_meta?.[REFUSED] as RefusedTool[] | undefined) ?? []))
    // A missing or repeated cursor marks the last page.
    if (!nextCursor || nextCursor === cursor) break
    cursor = nextCursor
  }
  return { entries, left, refused }
}

type SdkTool = Awaited<ReturnType<Connection['client']['listTools']>>['tools'][number]

const fits = (tool: SdkTool): boolean => whyNot(tool) === null

function whyNot({ name, inputSchema }: SdkTool): RefusedTool['why'] | null {
  if (name.length > bounds.name || !isCleanLabel(name)) return 'name'
  return toJson(inputSchema).length > bounds.schema ? 'large' : null
}

/** Returns the tools omitted earlier, now, and beyond the maximum. */
function refusedOf({ entries, refused }: Read<SdkTool>): RefusedTool[] {
  const unfit = entries.flatMap((tool): RefusedTool[] => {
    const why = whyNot(tool)
    return why === null ? [] : [{ name: tool.name, why }]
  })
  const beyond = entries.filter(fits).slice(bounds.tools)
  return [...refused, ...unfit, ...beyond.map(({ name }) => ({ name, why: 'many' as const }))]
    .slice(0, bounds.refused)
    .map(({ name, why }) => ({ name: cutLabel(name, bounds.name), why }))
}

function toTool(tool: SdkTool): ListedTool {
  const { name, description = '', inputSchema, annotations = {}, _meta = {} } = tool
  const { $schema: _dialect, ...input_schema } = inputSchema as Record<string, unknown>
  const ui = readUi(_meta)
  const claim = readClaim(annotations)
  return {
    ...{ name, title: cutLabel(tool.title ?? annotations.title ?? name, 100) },
    ...{ description: cut(description, bounds.description), input_schema },
    claim,
    repeats: claim === 'reads' || (claim !== 'contradicts' && annotations.idempotentHint === true),
    mark: markOf([name, tool.title, description, inputSchema, tool.outputSchema, annotations, ui]),
    ...ui,
  }
}

/** Reads a tool's interface metadata (SEP-1865), in its current and its first form. */
function readUi(meta: Record<string, unknown>): Pick<ListedTool, 'ui' | 'for_models'> {
  const { resourceUri, visibility } = Object(meta.ui) as { resourceUri?: unknown; visibility?: unknown }
  const uri = resourceUri ?? meta['ui/resourceUri']
  return {
    ui: typeof uri === 'string' && uri.startsWith('ui://') && uri.length <= 2_000 ? uri : null,
    for_models: !Array.isArray(visibility) || visibility.includes('model'),
  }
}

type SdkResource = {
  uri: string
  name: string
  title?: string | undefined
  description?: string | undefined
  mimeType?: string | undefined
}

function toResource(
  { uri, name, title, description = '', mimeType }: SdkResource,
  template: boolean,
): ListedResource {
  return {
    ...{
      uri,
      name: cutLabel(title ?? name, 200),
      description: cut(description, bounds.description),
      template,
    },
    media_type: mimeType === undefined ? null : cut(mimeType, 200),
  }
}

const cut = (text: string, most: number) => cleanProse(text.slice(0, most))
const cutLabel = (text: string, most: number) => cleanLabel(text.slice(0, most))
