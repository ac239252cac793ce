import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Document, listDocuments } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Select } from '../../../platform/ui/select.tsx'
import { Digitized } from '../digitized.tsx'
import { type VersionProps, ViewerSkeleton } from '../fallback/viewer-skeleton.tsx'
import { PlayedView } from './played-view.tsx'
import { recordingOf, stemOf } from './recording-of.ts'

/** Recordings that are offered. */
const MAX_RECORDINGS = 100

/** A transcript next to the recording of the same name or a selected one; as plain text without one. */
export function TranscriptView({ document, chunk, version }: VersionProps) {
  const { t } = useTranslation('documents')
  const [chosen, setChosen] = useState<string | null>(null)
  const { data, isPending } = useRecordings(document)
  if (isPending) return <ViewerSkeleton />
  const recordings = data ?? []
  const recording =
    chosen === null ? recordingOf(document, recordings) : recordings.find(({ id }) => id === chosen)
  return (
    <>
      {recordings.length > 0 && (
        <div className="flex flex-none items-center gap-2 border-b border-line px-4 py-1.5 text-13 text-ink-2">
          <span aria-hidden>{t('viewer.recording')}</span>
          <Select
            size="sm"
            className="min-w-0"
            aria-label={t('viewer.recording')}
            value={recording?.id ?? ''}
            onValueChange={setChosen}
            options={[
              { value: '', label: t('viewer.no_recording') },
              ...recordings.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </div>
      )}
      {recording ? (
        <PlayedView key={recording.id} {...{ document, chunk, version, recording }} />
      ) : (
        <Digitized document={document} mode="digitized" chunk={chunk} />
      )}
    </>
  )
}

/** Recordings a person may read: those whose names are like the transcript's first, then the newest. */
function useRecordings({ id, name }: Document) {
  return useQuery({
    queryKey: [`document:${id}`, 'recordings'],
    queryFn: async ({ signal }) => {
      const query = { type: 'media', limit: MAX_RECORDINGS } as const
      const [named, newest] = await Promise.all([
        call(listDocuments, { query: { ...query, q: stemOf(name) }, signal }),
        call(listDocuments, { query, signal }),
      ])
      return [...new Map([...named.items, ...newest.items].map((one) => [one.id, one])).values()]
    },
  })
}
