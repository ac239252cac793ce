import { cleanLabel, cleanProse, isCleanLabel } from '#shared/labels.ts'
import type { ServerClaim } from '#shared/own-tools/server-claim.ts'
import { toJson } from '../db/db.ts'
import { bounds } from './bounds.ts'
import { askOptions, type Connection } from './connection.ts'
import { markOf, readClaim } from './read-claim.ts'

/** A tool as its server describes it; what has no room is left out. */
export type ListedTool = {
  name: string
  title: string
  description: string
  input_schema: Record<string, unknown>
  /** What it says about its effects. */
  claim: ServerClaim
  /** It says that calling it again changes nothing more. */
  repeats: boolean
  /** A hash of its whole description. */
  mark: string
  /** The address of its interface (MCP Apps), and that only the interface may call it. */
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
  /** The address has places to fill in. */
  template: boolean
}
export type Listing = {
  server: { name: string; version: string; protocol: string; offers: string[]; instructions: string }
  tools: ListedTool[]
  prompts: ListedPrompt[]
  resources: ListedResource[]
  /** How many of them were left out, because they were too many or too large. */
  left: number
}

/** Everything a server offers, as far as it keeps to the bounds. */
export async function readListing({ client }: Connection, signal?: AbortSignal): Promise<Listing> {
  const options = askOptions(signal)
  const has = client.getServerCapabilities() ?? {}
  const tools = has.tools ? (await client.listTools(undefined, options)).tools : []
  const prompts = has.prompts ? (await client.listPrompts(undefined, options)).prompts : []
  const resources = has.resources ? (await client.listResources(undefined, options)).resources : []
  // Some servers say they have resources and know nothing of templates.
  const templates = has.resources
    ? await client.listResourceTemplates(undefined, options).then(
        ({ resourceTemplates }) => resourceTemplates,
        () => [],
      )
    : []
  const fitting = tools.filter(fits).slice(0, bounds.tools)
  const fittingPrompts = prompts
    .filter(({ name }) => name.length <= 200 && isCleanLabel(name))
    .slice(0, bounds.prompts)
  const all = [
    ...resources.map((one) => toResource({ ...one, uri: one.uri }, false)),
    ...templates.map((one) => toResource({ ...one, uri: one.uriTemplate }, true)),
  ]
  const fittingResources = all.filter(({ uri }) => uri.length <= 2_000).slice(0, bounds.resources)
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
    left:
      tools.length -
      fitting.length +
      prompts.length -
      fittingPrompts.length +
      all.length -
      fittingResources.length,
  }
}

type SdkTool = Awaited<ReturnType<Connection['client']['listTools']>>['tools'][number]

function fits({ name, inputSchema }: SdkTool): boolean {
  return name.length <= 100 && isCleanLabel(name) && toJson(inputSchema).length <= bounds.schema
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

/** What a tool says of its interface (SEP-1865), in its present and its first form. */
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
