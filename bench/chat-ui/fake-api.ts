import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import type { ActiveBranch } from '../../src/shared/chat/messages/messages.ts'
import type { Session } from '../../src/shared/chat/sessions/sessions.ts'
import type { User } from '../../src/shared/identity/accounts/accounts.ts'
import type { ChatLibrary } from '../../src/shared/knowledge/rag/chat-library.ts'
import type { AvailableModel } from '../../src/shared/models/connections/connections.ts'
import type { InboxPage } from '../../src/shared/runs/input-requests/input-requests.ts'
import type { Message } from '../../src/shared/runs/runs/message.ts'

export type Chat = { id: string; title: string; messages: Message[] }

export type FakeApi = {
  url: string
  /** Time of the last answer with the newest page of messages, relative to `performance.timeOrigin`. */
  close(): Promise<void>
}

type Options = {
  /** The folder of the built page. */
  page: string
  locales: string
  chats: Chat[]
  /** The answer to every message, and its speed. */
  reply: { tokens: string[]; perSecond: number }
}

/**
 * Serves the built page with just enough of the API to open chats and follow a reply. The page is real and the server
 * scripted, so that only the page is measured.
 */
export async function startFakeApi(options: Options): Promise<FakeApi> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/control.html') {
      sendControl(response)
      return
    }
    if (!pathname.startsWith('/api/v1')) {
      sendFile(response, options.page, pathname)
      return
    }
    answer(request, response, pathname.slice(7).replace(/\/$/, ''), searchParams, options)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: URLSearchParams,
  options: Options,
): void {
  const chat = options.chats.find(({ id }) => id === path.split('/')[2])
  if (chat && path.endsWith('/messages') && request.method === 'POST')
    void streamReply(request, response, chat, options.reply)
  else if (path === '/users/me/events')
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  else sendJson(response, bodyOf(request.method ?? 'GET', path, query, chat, options))
}

/** Typed by the contracts, so that an outdated answer does not compile. */
function bodyOf(
  method: string,
  path: string,
  query: URLSearchParams,
  chat: Chat | undefined,
  options: Options,
): unknown {
  const [area, second, third] = path.split('/').filter(Boolean)
  if (area === 'translations') {
    const file = join(options.locales, second ?? 'en', `${third}.json`)
    return JSON.parse(readFileSync(file, 'utf8'))
  }
  if (path === '/users/me') return person
  if (path === '/available-models') return [model]
  if (path === '/sessions') return { items: options.chats.map(sessionOf), total: options.chats.length }
  if (path === '/input-requests') return { items: [], total: 0, assistants: [] } satisfies InboxPage
  if (chat && third === undefined) return sessionOf(chat)
  if (chat && third === 'active-branch') return pageOf(chat, query)
  if (chat && third === 'library') return noDocuments
  if (chat && third === 'price') return { price: null, asks_above: null }
  return method === 'GET' ? [] : { message: 'ok' }
}

function pageOf({ messages }: Chat, query: URLSearchParams): ActiveBranch {
  const limit = Number(query.get('limit') ?? 200)
  const before = query.get('before')
  const end = before ? messages.findIndex(({ id }) => id === before) : messages.length
  const start = Math.max(0, end - limit)
  return {
    active_branch: messages.slice(start, end),
    branch_id: messages.at(-1)?.id ?? 'default',
    total: messages.length,
    start,
    has_more: start > 0,
    links: [],
    ...{ forks: [], branch_number: 1, branch_count: 1 },
  }
}

async function streamReply(
  request: IncomingMessage,
  response: ServerResponse,
  chat: Chat,
  { tokens, perSecond }: Options['reply'],
): Promise<void> {
  const body = JSON.parse(await readBody(request)) as {
    content: string
    client_id: string
    parent_id: string | null
  }
  const now = new Date().toISOString()
  const userId = crypto.randomUUID()
  const replyId = crypto.randomUUID()
  const user = {
    ...{
      id: userId,
      client_id: body.client_id,
      chat_session_id: chat.id,
      parent_id: body.parent_id,
      role: 'user',
    },
    ...{ agent_type: null, model_name: null, content: body.content, blocks: [], status: 'completed' },
    ...{ is_modified: false, metadata: {}, created_at: now },
  }
  const origin = { run_id: 'run', step_key: 'answer', attempt: 1 }
  let id = 1_000_000_000
  const send = (event: string, data: object, numbered = true) =>
    response.write(
      `event: ${event}\n${numbered ? `id: ${++id}\n` : ''}data: ${JSON.stringify({ ...origin, ...data })}\n\n`,
    )
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  const view = {
    ...{
      run_id: 'run',
      session_id: chat.id,
      message_id: replyId,
      user_message_id: userId,
      agent_type: 'multi_turn',
    },
    ...{
      model_name: 'openai/gpt-4o',
      status: 'streaming',
      stopped: false,
      content: '',
      blocks: [],
      progress: null,
    },
  }
  send('task_stream_init', { session_id: chat.id, view, user_message: user, last_event_id: null }, false)
  send('response_stream_start', { message_id: replyId })
  const started = performance.now()
  let sent = 0
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      // The server coalesces text within 25 ms into one event.
      const due = Math.min(tokens.length, Math.floor(((performance.now() - started) / 1000) * perSecond))
      if (due > sent) send('response_chunk', { content: tokens.slice(sent, due).join('') })
      sent = due
      if (sent < tokens.length && !response.destroyed) return
      clearInterval(timer)
      resolve()
    }, 25)
  })
  send('response_stream_end', { message_id: replyId })
  send('agent_processing_complete', {
    message_id: replyId,
    stopped: false,
    timestamp: new Date().toISOString(),
  })
  response.end()
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

const person: User = {
  ...{ id: '00000000-0000-4000-8000-0000000000aa', email: 'claire@example.com', username: 'claire' },
  ...{ full_name: 'Claire Delmas', language: 'en', bio: null, writing_style_examples: [], balance: null },
  // A returning person, so that no introduction appears.
  preferences: { working_memory: false, onboarding: { welcome: { completed: true } } },
  ...{ picture_id: null, company_affiliations: [], created_at: '2026-01-01T00:00:00.000Z' },
}

const model: AvailableModel = {
  ...{ id: 'openai/gpt-4o', name: 'gpt-4o', provider: 'openai', provider_name: 'OpenAI' },
  ...{ context_tokens: 128_000, max_output_tokens: 16_384, input_price: 2.5, output_price: 10 },
  ...{ local: false, is_default: true },
}

const none = { items: [], total: 0 }
const noDocuments: ChatLibrary = {
  ...{ documents: none, workspaces: none, assistant: null, readable: 0 },
  left_out: { reading: { documents: 0, names: [] }, failed: { documents: 0, names: [] } },
}

function sessionOf({ id, title, messages }: Chat): Session {
  const at = messages.at(-1)?.created_at ?? '2026-01-01T00:00:00.000Z'
  return {
    ...{ id, title, status: 'COMPLETED', created_at: at, updated_at: at, model_name: 'openai/gpt-4o' },
    ...{ documents: [], session_metadata: {}, agent_status: null, is_stopped: false },
    ...{ processing_task_id: null, pending_input: null, preview: null },
    ...{ pin_position: null, is_archived: false, is_unread: false, tags: [] },
  }
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
}

function sendFile(response: ServerResponse, folder: string, path: string): void {
  const name = extname(path) ? normalize(path).replace(/^(\.\.[/\\])+/, '') : 'index.html'
  try {
    const body = readFileSync(join(folder, name))
    response.writeHead(200, { 'content-type': contentTypes[extname(name)] ?? 'application/octet-stream' })
    response.end(body)
  } catch {
    response.writeHead(404).end()
  }
}

/** An idle page: its long tasks come from the machine. */
function sendControl(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end('<!doctype html><title>Control</title><p>Nothing happens here.</p>')
}
