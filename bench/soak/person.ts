import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, PASSWORD, signIn } from '../../tests/support/account.ts'
import type { ApiServer } from '../../tests/support/api-server.ts'
import { openStream } from '../../tests/support/event-stream.ts'
import { filesThatSay } from '../../tests/support/every-kind.ts'
import { supplierTool } from '../../tests/support/supplier-tool.ts'

/** Counts of completed actions, and the first error messages of failed ones. */
export type Tally = { done: Record<string, number>; failed: Record<string, string[]> }

export type House = { url: string; model: string; api: ApiServer }

const THINKING_MS = 3_000
/** Kinds of files. Pictures and recordings are excluded, because their processing would dominate. */
const kinds = ['a.txt', 'a.md', 'a.html', 'a.pdf', 'a.docx', 'a.xlsx', 'a.pptx', 'a.odt', 'a.rtf'] as const
const MAX_READING_MS = 240_000

/** Simulates a person at work until `until` (as `performance.now` counts): sequential random actions with pauses. */
export async function work(first: Account, house: House, until: number, tally: Tally): Promise<void> {
  const person = { account: first, chats: [] as string[], documents: [] as string[] }
  const acts = actsOf(person, house)
  const names = Object.keys(acts) as (keyof typeof acts)[]
  const listening = listen(() => person.account.token, house, until)
  await sleep(Math.random() * THINKING_MS)
  while (performance.now() < until) {
    const name = names[Math.floor(Math.random() * names.length)] ?? 'talk'
    try {
      await acts[name]()
      tally.done[name] = (tally.done[name] ?? 0) + 1
    } catch (error) {
      tally.failed[name] = [...(tally.failed[name] ?? []), String(error).slice(0, 300)].slice(-5)
    }
    await sleep(THINKING_MS * (0.5 + Math.random()))
  }
  await listening
}

type Person = { account: Account; chats: string[]; documents: string[] }

function actsOf(person: Person, { url, model, api }: House) {
  const call = <T>(method: string, path: string, body?: unknown) =>
    ask<T>(url, person.account, method, path, body)
  const headers = () => ({ authorization: `Bearer ${person.account.token}` })
  const at = (path: string) => `${url}/api/v1${path}`
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)]
  const aChat = async () => {
    const known = Math.random() < 0.7 ? pick(person.chats) : undefined
    if (known) return known
    const { id } = await call<{ id: string }>('POST', '/sessions', { model_name: model })
    person.chats.push(id)
    return id
  }
  const say = async (chat: string, content: string) =>
    openStream(at(`/sessions/${chat}/messages`), { method: 'POST', headers: headers(), body: { content } })
  const talkIn = async (chat: string, content: string) => (await say(chat, content)).ended
  const newestReply = async (chat: string) => {
    const { active_branch } = await call<{ active_branch: { id: string; role: string }[] }>(
      ...(['GET', `/sessions/${chat}/active-branch`] as const),
    )
    return active_branch.findLast(({ role }) => role === 'assistant')?.id
  }
  return {
    talk: async () => talkIn(await aChat(), 'Tell me something about herons.'),
    useTool: async () => talkIn(await aChat(), 'Please calculate 2 + 3.'),
    askLibrary: async () => talkIn(await aChat(), 'Look into the library for rent.'),
    stop: async () => {
      const chat = await aChat()
      const stream = await say(chat, 'Tell me a long story.')
      await stream.until('response_chunk')
      await call('POST', `/sessions/${chat}/stop`)
      await stream.ended
    },
    comeBack: async () => {
      const chat = await aChat()
      const stream = await say(chat, 'Tell me a long story.')
      await stream.until('response_chunk')
      stream.leave()
      const again = { headers: { ...headers(), 'last-event-id': stream.lastId() ?? '' } }
      const back = await openStream(at(`/sessions/${chat}/task-stream`), again)
      await back.ended
    },
    branch: async () => {
      const chat = await aChat()
      await talkIn(chat, 'What is a heron?')
      const path = `/sessions/${chat}/messages/${await newestReply(chat)}/regenerate`
      await (await openStream(at(path), { method: 'POST', headers: headers(), body: {} })).ended
      await call('GET', `/sessions/${chat}/tree`)
    },
    upload: async () => {
      const kind = pick(kinds) ?? 'a.txt'
      const words = `The rent of house ${Math.random()} is due in March, and the heron pays it. `
      const content = filesThatSay(words.repeat(kind === 'a.txt' ? 200 : 1)).read[kind] ?? words
      const form = new FormData()
      form.set('file', new Blob([content as Uint8Array<ArrayBuffer>]), kind)
      const sent = await fetch(at('/documents/upload'), { method: 'POST', headers: headers(), body: form })
      const { id } = (await sent.json()) as { id: string }
      person.documents.push(id)
      for (const end = performance.now() + MAX_READING_MS; ; await sleep(500)) {
        const { status } = await call<{ status: string }>('GET', `/documents/${id}`)
        if (status === 'completed') return
        if (status === 'failed' || performance.now() > end) throw new Error(`${kind} is ${status}`)
      }
    },
    search: async () => {
      await call('POST', '/search_and_rerank/search_and_rerank', { query: 'When is the rent due?' })
      await call('GET', '/sessions?q=heron')
    },
    cite: () => call('POST', '/rag/generate', { query: 'When is the rent due?', model: 'atrium/offline' }),
    runTool: () => call('POST', '/tools/calculator/execute', { inputs: { a: 1, b: 2, operation: 'add' } }),
    ownTool: async () => {
      const { id } = await call<{ id: string }>('POST', '/tools', supplierTool(api))
      await call('POST', `/tools/${id}/execute`, { inputs: { siren: '552100554' } })
      await sleep(1_000)
      await call('DELETE', `/tools/${id}`)
      api.asked.length = 0
    },
    export: async () => {
      const chat = await aChat()
      await talkIn(chat, 'Hello.')
      const format = pick(['docx', 'pdf', 'md', 'json']) ?? 'md'
      const { id } = await call<{ id: string }>('POST', `/sessions/${chat}/exports`, { format })
      await (await fetch(at(`/exports/${id}/file`), { headers: headers() })).arrayBuffer()
      if (Math.random() < 0.5) await call('DELETE', `/exports/${id}`)
    },
    share: async () => {
      const chat = await aChat()
      await talkIn(chat, 'Hello.')
      const link = await call<{ id: string; url?: string; token?: string }>(
        ...(['POST', `/sessions/${chat}/links`, {}] as const),
      )
      const token = link.token ?? link.url?.split('/').at(-1)
      const shown = await fetch(at(`/shared/${token}`))
      if (!shown.ok) throw new Error(`a shared chat answers ${shown.status}`)
      await shown.arrayBuffer()
      if (Math.random() < 0.5) await call('DELETE', `/links/${link.id}`)
    },
    forget: async () => {
      const [chat, document] = [person.chats.shift(), person.documents.shift()]
      if (chat) await call('DELETE', `/sessions/${chat}`)
      if (document) await call('DELETE', `/documents/${document}`)
    },
    signOut: async () => {
      await call('DELETE', '/token')
      person.account = await signIn(url, person.account.username)
    },
  }
}

/** Reads the stream that every open page has, and reconnects when it ends. */
async function listen(token: () => string, { url }: House, until: number): Promise<void> {
  while (performance.now() < until) {
    const headers = { authorization: `Bearer ${token()}` }
    const stream = await openStream(`${url}/api/v1/users/me/events`, { headers }).catch(() => null)
    const left = Math.max(0, until - performance.now())
    await Promise.race([stream?.ended, sleep(Math.min(left, 20_000))])
    stream?.leave()
    await sleep(1_000)
  }
}

/** Calls the API; returns null for an answer without a body. @throws with status and detail when it is not 2xx */
async function ask<T>(
  url: string,
  { token }: Account,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const answer = await fetch(`${url}/api/v1${path}`, {
    ...{ method, headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return (text === '' ? null : JSON.parse(text)) as T
}

/** Deletes every chat and document of a person individually, then the account. */
export async function leaveHouse(url: string, account: Account): Promise<void> {
  for (const [list, one] of [
    ['/sessions?limit=100', '/sessions'],
    ['/documents?limit=100', '/documents'],
  ] as const) {
    for (;;) {
      const { items } = await ask<{ items: { id: string }[] }>(url, account, 'GET', list)
      if (items.length === 0) break
      for (const { id } of items) await ask(url, account, 'DELETE', `${one}/${id}`)
    }
  }
  await ask(url, account, 'POST', '/users/me/erasure', {
    ...{ email: `${account.username}@example.com`, current_password: PASSWORD },
  })
}
