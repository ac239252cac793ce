import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Document, type DocumentPart, listElements } from '#shared/knowledge/documents/documents.ts'
import { call } from '../../web/platform/lib/api/call.ts'
import { type SubtitleSegment, segmentsOf } from './subtitles.ts'

const PARTS_AT_ONCE = 20

/** Loads the whole transcript: the given parts and all later ones. */
export function useTranscript(
  { id, version }: Pick<Document, 'id' | 'version'>,
  parts: readonly DocumentPart[],
): SubtitleSegment[] {
  const last = parts.at(-1)?.number ?? 0
  const { data: rest } = useQuery({
    queryKey: [`document:${id}`, 'transcript', version, last],
    queryFn: ({ signal }) => readBehind({ id, version }, last, signal),
    enabled: last > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(() => segmentsOf([...parts, ...(rest ?? [])]), [parts, rest])
}

/** Reads parts page by page; the number per page depends on their size. */
async function readBehind(
  { id, version }: Pick<Document, 'id' | 'version'>,
  last: number,
  signal: AbortSignal,
): Promise<DocumentPart[]> {
  const query = { from: last + 1, to: last + PARTS_AT_ONCE, version }
  const { parts, total_parts } = await call(listElements, { params: { documentId: id }, query, signal })
  const end = parts.at(-1)?.number ?? total_parts
  return end >= total_parts ? parts : [...parts, ...(await readBehind({ id, version }, end, signal))]
}
