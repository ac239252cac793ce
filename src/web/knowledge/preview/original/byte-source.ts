import { useQuery } from '@tanstack/react-query'
import { readDocumentContent } from '#shared/knowledge/documents/documents.ts'
import type { ByteSource } from '../../../../viewers/viewer.ts'
import { openRoute } from '../../../platform/lib/api/call.ts'

/** Size of a part; a shorter file is loaded whole. If pages are listed individually, the reader needs all of it. */
const PART_BYTES = 1_048_576
const AGAIN_MS = 1_000

/** The bytes of a version, loaded in parts; the beginning once per version. */
export function useByteSource(documentId: string, version: number) {
  return useQuery({
    queryKey: ['document-file', documentId, version, 'start'],
    queryFn: ({ signal }) => openByteSource(documentId, version, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
}

/** Does the same outside of a view. @throws ApiError */
export async function openByteSource(
  documentId: string,
  version: number,
  signal: AbortSignal,
): Promise<ByteSource> {
  const open = (part: number, signal?: AbortSignal) =>
    openRoute(readDocumentContent, {
      params: { documentId },
      query: { version },
      headers: { range: `bytes=${part * PART_BYTES}-${(part + 1) * PART_BYTES - 1}` },
      ...(signal && { signal }),
    })
  const answer = await open(0, signal)
  const coming = bytesOf(answer)
  const [, length] = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '') ?? []
  const parts = new Map([[0, coming]])
  const readPart = (part: number): Promise<Uint8Array> => {
    const known = parts.get(part)
    if (known) return known
    const read = readTwice(async () => bytesOf(await open(part)))
    parts.set(part, read)
    read.catch(() => parts.delete(part))
    return read
  }
  const last = Math.floor((Number(length ?? 0) - 1) / PART_BYTES)
  // The cross-reference table is at the end of a PDF.
  if (last > 0) void readPart(last).catch(() => undefined)
  const start = await coming
  return {
    ...{ start, length: Number(length ?? start.length) },
    read: async (from, to) => {
      const [first, last] = [Math.floor(from / PART_BYTES), Math.floor((to - 1) / PART_BYTES)]
      const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at)
      const bytes = new Uint8Array(to - from)
      for (const number of numbers) {
        const begin = number * PART_BYTES
        const part = (await readPart(number)).subarray(Math.max(0, from - begin), to - begin)
        bytes.set(part, Math.max(0, begin - from))
      }
      return bytes
    },
  }
}

const bytesOf = async (answer: Response) => new Uint8Array(await (await answer.blob()).arrayBuffer())

/** Retries a failed part once, a little later. */
async function readTwice<Read>(read: () => Promise<Read>): Promise<Read> {
  try {
    return await read()
  } catch {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    return read()
  }
}
