import { RefreshCw, Search, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  type CollectionInfo,
  MAX_OBJECTS_PER_PAGE,
  OBJECTS_PER_PAGE,
  type VectorObject,
} from '#shared/knowledge/vector-db/vector-db.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Switch } from '../../platform/ui/checkbox.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { NumberInput } from '../../platform/ui/number-input.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { DeleteChunk } from './delete-chunk.tsx'
import { DeleteAllObjects } from './delete-collection.tsx'
import { ObjectRow } from './object-row.tsx'
import { readAgain, useObjects } from './use-vector-db.ts'

/** The objects of a collection, one of them expanded. */
export function ObjectsView({ collection }: { collection: CollectionInfo }) {
  const { t } = useTranslation('vectors')
  const [wanted, setWanted] = useState('')
  const [limit, setLimit] = useState(OBJECTS_PER_PAGE)
  const [withVectors, setWithVectors] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const [doomed, setDoomed] = useState<string | null>(null)
  const [isEmptying, setEmptying] = useState(false)
  const { data, error, hasNextPage, fetchNextPage, isFetching } = useObjects(
    collection.name,
    limit,
    withVectors,
  )
  const loaded = data?.pages.flatMap(({ objects }) => objects) ?? []
  const shown = loaded.filter((object) => hasWords(object, wanted))
  return (
    <section aria-label={collection.name} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="text-14 font-semibold">{collection.name}</h2>
        <Badge>
          {t('objects_count', {
            count: collection.object_count,
            number: formatNumber(collection.object_count),
          })}
        </Badge>
        <span className="min-w-0 flex-1 truncate text-13 text-ink-2">
          {collection.vectors.map(({ name, dimensions }) => `${name} ${dimensions}`).join(', ')}
        </span>
        <Button
          size="sm"
          variant="danger-ghost"
          icon={<Trash2 aria-hidden className="icon-14" />}
          disabled={collection.object_count === 0}
          onClick={() => setEmptying(true)}
        >
          {t('objects.delete_all')}
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Input
          quiet
          className="max-w-75"
          type="search"
          icon={<Search aria-hidden />}
          aria-label={t('objects.search')}
          placeholder={t('objects.search')}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
        <span className="flex items-center gap-2 text-13 text-ink-2">
          {t('objects.limit')}
          <NumberInput
            className="w-20"
            aria-label={t('objects.limit')}
            value={limit}
            onValueChange={setLimit}
            min={1}
            max={MAX_OBJECTS_PER_PAGE}
            fallback={OBJECTS_PER_PAGE}
          />
        </span>
        <Switch label={t('objects.vectors')} checked={withVectors} onCheckedChange={setWithVectors} />
        <span className="num ml-auto text-12 text-ink-3">
          {t('objects.loaded', {
            loaded: formatNumber(loaded.length),
            all: formatNumber(collection.object_count),
          })}
        </span>
        <IconButton variant="lined" name={t('refresh')} onClick={() => void readAgain()}>
          <RefreshCw aria-hidden className="icon" />
        </IconButton>
      </div>
      {error && <Callout tone="danger">{t('errors.chunks', { message: errorText(t, error) })}</Callout>}
      {!data && !error && <Skeletons sizes={['h-11 w-full', 'h-11 w-full', 'h-11 w-full']} />}
      {data && loaded.length === 0 && <EmptyState title={t('objects.none')} />}
      {loaded.length > 0 && shown.length === 0 && <EmptyState title={t('objects.no_match')} />}
      {shown.length > 0 && (
        <ul aria-label={t('objects.title')} className="divide-y divide-line rounded-card border border-line">
          {shown.map((object) => (
            <ObjectRow
              key={object.uuid}
              object={object}
              isOpen={object.uuid === openId}
              onToggle={() => setOpenId(object.uuid === openId ? null : object.uuid)}
              onDelete={() => setDoomed(object.uuid)}
            />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button className="justify-self-center" busy={isFetching} onClick={() => void fetchNextPage()}>
          {t('objects.more')}
        </Button>
      )}
      {doomed && (
        <DeleteChunk collection={collection.name} chunkId={doomed} onClose={() => setDoomed(null)} />
      )}
      {isEmptying && <DeleteAllObjects name={collection.name} onClose={() => setEmptying(false)} />}
    </section>
  )
}

function hasWords({ uuid, properties }: VectorObject, words: string): boolean {
  const { text, title, file_name, chunk_type, document_id } = properties
  const all = [uuid, text, title, file_name, chunk_type, document_id].join('\n').toLowerCase()
  return all.includes(words.trim().toLowerCase())
}
