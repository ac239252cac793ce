import { setTimeout as sleep } from 'node:timers/promises'
import { PART_BYTES } from '../../../src/shared/knowledge/documents/uploads.ts'
import type { Import } from '../../../src/shared/lifecycle/imports/imports.ts'
import { isBusy } from '../../../src/shared/lifecycle/imports/imports.ts'
import type { TestUser } from '../builders.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are compared, not worked with.
type Answer = { status: number; body: any }

/** A person who imports files over HTTP. `base` is the address of the API with `/api/v1`. */
export function anImporter(base: string, { headers }: Pick<TestUser, 'headers'>) {
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const init = {
      method,
      headers: { ...headers, ...type },
      body: body === undefined ? null : JSON.stringify(body),
    }
    const answer = await fetch(base + path, init)
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  }
  const sendPart = async (id: string, offset: number, content: Uint8Array<ArrayBuffer>) => {
    const form = new FormData()
    form.set('offset', String(offset))
    form.set('file', new Blob([content]), 'part')
    await fetch(`${base}/documents/uploads/${id}/parts`, { method: 'POST', headers, body: form })
  }
  const upload = async (name: string, content: Uint8Array): Promise<string> => {
    const { body } = await call('POST', '/imports/uploads', { name, size: content.length })
    for (let at = 0; at < content.length; at += PART_BYTES)
      await sendPart(body.id, at, new Uint8Array(content.subarray(at, at + PART_BYTES)))
    return body.id
  }
  const settled = async (id: string, ms = 60_000): Promise<Import> => {
    for (const until = Date.now() + ms; ; await sleep(50)) {
      const { body } = await call('GET', `/imports/${id}`)
      if (!isBusy(body) || Date.now() > until) return body
    }
  }
  const preview = async (content: Uint8Array | string, name = 'export.zip'): Promise<Import> => {
    const upload_id = await upload(name, Buffer.from(content as string))
    const { body } = await call('POST', '/imports', { upload_id })
    return settled(body.id)
  }
  const start = async (id: string, body = {}) => {
    await call('POST', `/imports/${id}/start`, body)
    return settled(id)
  }
  return {
    ...{ call, sendPart, upload, settled, preview, start },
    /** Reads an export and imports all of it. */
    importAll: async (content: Uint8Array | string, name?: string) =>
      start((await preview(content, name)).id),
    undo: async (id: string) => {
      await call('POST', `/imports/${id}/undo`)
      return settled(id)
    },
    problems: async (id: string) => (await call('GET', `/imports/${id}/problems`)).body.items,
    chats: async () => (await call('GET', '/sessions?limit=100')).body.items,
    branch: async (id: string) => (await call('GET', `/sessions/${id}/active-branch`)).body,
  }
}
export type Importer = ReturnType<typeof anImporter>
