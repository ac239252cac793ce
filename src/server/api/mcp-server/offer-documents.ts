import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { DocumentFilter } from '#shared/knowledge/documents/documents.ts'
import { AppError } from '#shared/platform/errors.ts'
import { Id } from '#shared/platform/primitives.ts'
import { assertTermsOf } from '../../identity/terms/terms.ts'
import { folderOf, listDocuments, readDocument } from '../../knowledge/documents/documents.ts'
import { searchLibrary } from '../../knowledge/search/search.ts'
import { readWhole } from '../../models/models/transcribe.ts'
import { assertBalance } from '../../money/billing/billing.ts'
import { assertOpen, findAllowed, keyOf } from '../../platform/access/access.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { answering } from './answering.ts'

/** Timeout of a search, and maximum characters of a document per call. */
const SEARCH_TIMEOUT_MS = 30_000
const PART = 100_000
/** Number of newest documents listed as resources. */
const LISTED = 100
const SCHEME = 'atrium://documents/'

const Search = z.object({
  query: z.string().trim().min(1).max(4_000).describe('Words, or a question'),
  limit: z.number().int().min(1).max(50).default(10).describe('Passages to give'),
})
const Found = z.object({
  results: z.array(
    z.object({
      id: z.string().describe('The id of the document, for fetch'),
      title: z.string(),
      url: z.string(),
      text: z.string(),
      page: z.number().nullable(),
      score: z.number(),
    }),
  ),
})
const Fetch = z.object({
  id: z.string().max(100).describe('The id of a document, as search gives it'),
  offset: z.number().int().min(0).max(100_000_000).default(0).describe('Characters to begin behind'),
})
const Fetched = z.object({
  ...{ id: z.string(), title: z.string(), url: z.string(), text: z.string() },
  next_offset: z.number().nullable().describe('Where the next part begins; null at the end'),
  metadata: z.object({ type: z.string(), pages: z.number().nullable(), length: z.number() }),
})
const looks = { readOnlyHint: true, openWorldHint: false }

/** Offers library search and documents as read. */
export function offerDocuments(server: McpServer, deps: Deps, caller: Caller): void {
  server.registerTool(
    'search',
    {
      ...{ title: 'Search the library', annotations: looks, inputSchema: Search, outputSchema: Found },
      description: 'Passages of the documents of this workspace that fit a question best, the best first.',
    },
    (input) => answering(async () => ({ results: await search(deps, caller, input) })),
  )
  server.registerTool(
    'fetch',
    {
      ...{ title: 'Read a document', annotations: looks, inputSchema: Fetch, outputSchema: Fetched },
      description: 'The text of a document as Markdown, part by part.',
    },
    ({ id, offset }) => answering(() => fetchDocument(deps, caller, id, offset)),
  )
  server.registerResource(
    'document',
    new ResourceTemplate(`${SCHEME}{id}`, { list: async () => ({ resources: await list(deps, caller) }) }),
    { title: 'Documents', description: 'The documents of the library, the newest first' },
    async (uri, { id }) => {
      const found = await fetchDocument(deps, caller, String(id), 0).catch(() => null)
      // The response does not reveal whether an unreadable document exists.
      if (!found) throw new ResourceNotFoundError(uri.href)
      return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text: found.text }] }
    },
  )
}

async function search(deps: Deps, caller: Caller, { query, limit }: z.output<typeof Search>) {
  await assertOpen(deps.grants, caller.id, { kind: 'tool', id: 'document_search' })
  await assertTermsOf(deps.db, caller)
  await assertBalance(deps, caller.id, keyOf(caller))
  const wish = {
    ...{ query, limit, top: limit, type: 'hybrid' as const, alpha: 0.5, offset: 0, scope: {} },
    ...{ targets: [], join: 'minimum' as const, reranker: null, threshold: 0 },
  }
  const { hits } = await searchLibrary(deps, caller, wish, AbortSignal.timeout(SEARCH_TIMEOUT_MS))
  return hits.map(({ passage, score }) => ({
    ...{ id: passage.document_id, title: passage.document_name, text: passage.text, score },
    url: `${addressOf(deps, passage.document_id)}?chunk=${passage.id}`,
    page: passage.page_number,
  }))
}

async function fetchDocument(deps: Deps, caller: Caller, given: string, offset: number) {
  const id = given.startsWith(SCHEME) ? given.slice(SCHEME.length) : given
  if (!Id.safeParse(id).success) throw new AppError('not_found', 'There is no document with this id.')
  await findAllowed(deps.db, caller, 'read document', id)
  const row = await readDocument(deps.db, id)
  if (!row?.files.includes('digitized.md'))
    throw new AppError('conflict', 'This document has no text: it could not be read, or is being read.')
  const key = `${folderOf(row.reading_id)}digitized.md`
  const whole = Buffer.from(await readWhole(await deps.files.read(key))).toString('utf8')
  const end = offset + PART
  return {
    ...{ id, title: row.name, url: addressOf(deps, id), text: whole.slice(offset, end).toWellFormed() },
    next_offset: end < whole.length ? end : null,
    metadata: {
      ...{ type: row.format ?? row.extension, length: whole.length },
      pages: typeof row.facts.pages === 'number' ? row.facts.pages : null,
    },
  }
}

async function list(deps: Deps, caller: Caller) {
  const filter = DocumentFilter.parse({ limit: LISTED })
  const { rows } = await listDocuments(deps.db, caller, filter, {})
  return rows.map(({ id, name }) => ({ uri: SCHEME + id, name, mimeType: 'text/markdown' }))
}

const addressOf = ({ publicUrl }: Deps, id: string) => `${publicUrl()}/documents/${id}`
