import clsx from 'clsx'
import { Database, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { CollectionInfo } from '#shared/knowledge/vector-db/vector-db.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { DeleteCollection } from './delete-collection.tsx'
import { useCollections } from './use-vector-db.ts'

type Props = { chosen: string | null; onChoose: (name: string) => void }

/** The collections with their numbers of objects. */
export function CollectionList({ chosen, onChoose }: Props) {
  const { t } = useTranslation('vectors')
  const [doomed, setDoomed] = useState<CollectionInfo | null>(null)
  const { data, error, refetch } = useCollections()
  if (error)
    return (
      <Callout
        tone="danger"
        action={
          <Button size="sm" onClick={() => void refetch()}>
            {t('common:actions.retry')}
          </Button>
        }
      >
        {t('errors.collections', { message: errorText(t, error) })}
      </Callout>
    )
  if (!data) return <Skeletons sizes={['h-10 w-full', 'h-10 w-full']} className="grid gap-2" />
  if (data.collections.length === 0) return <p className="text-13 text-ink-2">{t('collections.none')}</p>
  return (
    <>
      <ul aria-label={t('collections.title')} className="grid gap-0.5">
        {data.collections.map((one) => (
          <li
            key={one.name}
            className={clsx('flex items-center rounded-control', one.name === chosen && 'bg-accent-soft')}
          >
            <button
              type="button"
              aria-current={one.name === chosen || undefined}
              onClick={() => onChoose(one.name)}
              className="flex min-h-11 min-w-0 flex-1 items-center gap-2.5 px-2.5 py-1.5 text-left"
            >
              <Database aria-hidden className="icon flex-none text-ink-3" />
              <span className="min-w-0 flex-1">
                <span className="block truncate text-13 font-medium">{one.name}</span>
                <span className="block truncate text-12 text-ink-2">{aboutOf(one)}</span>
              </span>
              <Badge tone={one.is_missing ? 'danger' : 'neutral'}>
                {one.is_missing ? t('collections.lost') : formatNumber(one.object_count)}
              </Badge>
            </button>
            {!one.is_library && (
              <IconButton
                size="xs"
                variant="danger"
                className="mr-1.5"
                name={t('collections.delete', { name: one.name })}
                onClick={() => setDoomed(one)}
              >
                <Trash2 aria-hidden className="icon-14" />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {doomed && <DeleteCollection name={doomed.name} onClose={() => setDoomed(null)} />}
    </>
  )
}

const aboutOf = ({ vectors, index_type }: CollectionInfo) =>
  `${vectors.map(({ name }) => name).join(', ')} · ${index_type}, ${vectors[0]?.distance_metric ?? ''}`
