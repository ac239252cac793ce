import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { LoadedTool } from '../../tools/tools.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import { listToolsOf } from './mcp-store.ts'
import { serverOf } from './server-of.ts'

/** The origins a page of an app may access, as declared by its server. */
const Declared = z.object({
  csp: z.optional(
    z.object({
      connectDomains: z.optional(z.unknown()),
      resourceDomains: z.optional(z.unknown()),
    }),
  ),
})
const HtmlResource = /^text\/html\b/
const MAX_ORIGINS = 10

/** The page of an app, the origins it may access, and its server's tools by the server's names. */
export type App = { html: string; connect: string[]; resources: string[]; calls: Record<string, string> }

/** Reads a tool's interface from its MCP server. @throws AppError `unavailable` */
export async function readApp(
  deps: OwnToolDeps,
  { contract, made }: LoadedTool,
  userId: string,
): Promise<App> {
  const { ui } = contract
  if (ui?.kind !== 'app' || !made) throw new AppError('not_found', 'This tool has no interface of its own.')
  const [parts, tools] = await Promise.all([
    deps.mcp.readResource(await serverOf(deps, made.setId, userId), ui.uri),
    listToolsOf(deps.db, made.setId),
  ])
  const part = parts.find(({ uri, media_type }) => uri === ui.uri && HtmlResource.test(media_type ?? ''))
  const html = part?.text ?? (part?.blob === undefined ? null : Buffer.from(part.blob, 'base64').toString())
  if (html === null) throw new AppError('unavailable', 'The server returned no page for this interface.')
  const { csp } = Declared.safeParse(part?.meta.ui).data ?? {}
  return {
    html,
    connect: originsIn(csp?.connectDomains),
    resources: originsIn(csp?.resourceDomains),
    calls: Object.fromEntries(
      tools.filter(({ is_there, is_on }) => is_there && is_on).map(({ key, id }) => [key, id]),
    ),
  }
}

/** Returns origins that are safe in a policy; other values could end the list and begin another. */
function originsIn(domains: unknown): string[] {
  const named = Array.isArray(domains) ? domains : []
  return named
    .filter(
      (one): one is string => typeof one === 'string' && /^(https|wss):\/\/(\*\.)?[\w.-]+(:\d+)?$/.test(one),
    )
    .slice(0, MAX_ORIGINS)
}
