import { setTimeout as sleep } from 'node:timers/promises'
import type { Document } from '../../src/shared/knowledge/documents/documents.ts'
import type { TestApp } from './app.ts'
import { aUser, type TestUser } from './builders.ts'

type Upload = { name: string; content: string | Uint8Array<ArrayBuffer>; fields?: Record<string, string> }
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
// biome-ignore lint/suspicious/noExplicitAny: answers are compared, not worked with.
type Answer = { status: number; body: any }

/** A user of the document library of a running application. */
export type Reader = {
  user: TestUser
  call: (method: Method, path: string, body?: unknown) => Promise<Answer>
  /** Returns the bytes of an answer with its headers. */
  bytes: (path: string, headers?: Record<string, string>) => Promise<{ answer: Response; content: Buffer }>
  /** Uploads a file as a form; the fields precede it. */
  upload: (file: Upload, path?: string) => Promise<Answer>
  /** Waits until a document is completed or failed. */
  processed: (id: string) => Promise<Document>
}

/** Creates a library user, or uses `known`. `base` is the address of the API with `/api/v1`. */
export async function aReader(app: TestApp, base: string, known?: TestUser): Promise<Reader> {
  const user = known ?? (await aUser(app))
  const call: Reader['call'] = async (method, path, body) => {
    const headers = { ...user.headers, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const answer = await fetch(base + path, {
      ...{ method, headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return readAnswer(answer)
  }
  return {
    user,
    call,
    bytes: async (path, headers) => {
      const answer = await fetch(base + path, { headers: { ...user.headers, ...headers } })
      return { answer, content: Buffer.from(await answer.arrayBuffer()) }
    },
    upload: async ({ name, content, fields = {} }, path = '/documents/upload') => {
      const form = new FormData()
      for (const [field, value] of Object.entries(fields)) form.set(field, value)
      form.set('file', new Blob([content]), name)
      return readAnswer(await fetch(base + path, { method: 'POST', headers: user.headers, body: form }))
    },
    processed: async (id) => {
      for (const until = Date.now() + 60_000; ; await sleep(50)) {
        const { body } = await call('GET', `/documents/${id}`)
        if (body.status === 'completed' || body.status === 'failed' || Date.now() > until) return body
      }
    },
  }
}

async function readAnswer(answer: Response): Promise<Answer> {
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
}
