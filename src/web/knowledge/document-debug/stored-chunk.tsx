import { useQuery } from '@tanstack/react-query'
import { LIBRARY_COLLECTION } from '#shared/knowledge/search/search.ts'
import { getObject, type VectorObject } from '#shared/knowledge/vector-db/vector-db.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'

/** Checked first, for experimental chunks outside the library. */
const TRIAL_COLLECTION = 'DocumentChunkBIS'

/** A chunk as split, and as stored in the vector database. */
export function StoredChunk({ id, text, isStored }: { id: string; text: string; isStored: boolean }) {
  const { t } = useTranslation('vectors')
  const { data, isError } = useQuery({
    queryKey: ['vector-db', 'object', id],
    queryFn: ({ signal }) => readObject(id, signal),
    enabled: isStored,
  })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 bg-surface px-4 py-3 text-13">
      <p dir="auto" className="whitespace-pre-wrap">
        {text}
      </p>
      {(data || isError) && (
        <p className="text-12 text-ink-2">
          {data ? t('chunks.stored', { collection: data.collection }) : t('chunks.not_stored')}
        </p>
      )}
      {data && (
        <pre className="max-h-80 overflow-auto rounded-control break-words whitespace-pre-wrap bg-surface-2 p-3 text-12">
          {JSON.stringify(data.object.properties, null, 2)}
        </pre>
      )}
    </div>
  )
}

async function readObject(
  object_id: string,
  signal: AbortSignal,
): Promise<{ collection: string; object: VectorObject }> {
  const read = async (collection: string) => {
    const { object } = await call(getObject, { body: { collection_name: collection, object_id }, signal })
    return { collection, object }
  }
  try {
    return await read(TRIAL_COLLECTION)
  } catch (error) {
    if (!isApiError(error, 404)) throw error
    return read(LIBRARY_COLLECTION)
  }
}
