import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Document, Pipeline } from '../../src/shared/knowledge/documents/documents.ts'
import type { Account } from '../../tests/support/account.ts'

export type Ended = { id: string; status: Document['status']; reason: string | null }
type File = { name: string; bytes: Uint8Array }

const Uploaded = z.object({ id: z.string() })

/** Concurrent uploads, as in a browser. */
const MAX_CONCURRENT_UPLOADS = 3
const CHECK_INTERVAL_MS = 100
const PATIENCE_MS = 1_800_000

/** Opens the library of a person in a running product. */
export function openLibrary(url: string, person: Account) {
  const upload = async (name: string, bytes: Uint8Array, pipeline?: Pipeline): Promise<string> => {
    const form = new FormData()
    if (pipeline) form.set('processing_pipeline', pipeline)
    form.set('file', new Blob([new Uint8Array(bytes)]), name)
    const headers = { authorization: `Bearer ${person.token}` }
    const answer = await fetch(`${url}/api/v1/documents/upload`, { method: 'POST', headers, body: form })
    if (!answer.ok) throw new Error(`${name} was answered ${answer.status}: ${await answer.text()}`)
    return Uploaded.parse(await answer.json()).id
  }
  const read = (id: string) => person.call<Document>('GET', `/documents/${id}`)
  return {
    upload,
    /** Returns the ids in the order of the files. */
    uploadAll: async (files: File[]): Promise<string[]> => {
      const ids: string[] = []
      const left = [...files.entries()]
      const work = async () => {
        for (let one = left.shift(); one; one = left.shift())
          ids[one[0]] = await upload(one[1].name, one[1].bytes)
      }
      await Promise.all(Array.from({ length: MAX_CONCURRENT_UPLOADS }, work))
      return ids
    },
    /** Waits until no document is being processed. */
    ended: async (ids: string[]): Promise<Ended[]> => {
      type State = { counts: { queued: number; in_progress: number } }
      for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(CHECK_INTERVAL_MS)) {
        const { counts } = await person.call<State>('GET', '/documents/state')
        if (counts.queued + counts.in_progress === 0) break
      }
      const ends: Ended[] = []
      for (const id of ids) {
        const { status, error_message } = await read(id)
        ends.push({ id, status, reason: error_message })
      }
      return ends
    },
    /** Returns when a document appeared among the first five hits, by the clock of this process. */
    untilFound: async (query: string, id: string): Promise<number> => {
      type Found = { objects: { properties: { document_id: string } }[] }
      const body = { query, collection_name: 'Documents', limit: 5, use_bm25: true }
      for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(CHECK_INTERVAL_MS)) {
        const { objects } = await person.call<Found>('POST', '/search_and_rerank/search_and_rerank', body)
        if (objects.some(({ properties }) => properties.document_id === id)) return performance.now()
      }
      throw new Error(`“${query}” was never found`)
    },
    /** Returns the seconds of each phase. */
    phases: async (id: string) => {
      type Info = {
        processing_info: Record<'parse_time' | 'chunking_time' | 'embedding_time', number | null>
      }
      const { processing_info } = await person.call<Info>('GET', `/documents/${id}/chunks?limit=1`)
      const { parse_time, chunking_time, embedding_time } = processing_info
      return { parse_s: parse_time, chunking_s: chunking_time, embedding_s: embedding_time }
    },
  }
}
