import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus, Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { listDocuments } from '#shared/knowledge/documents/documents.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { FileTile } from '../../../platform/ui/files/file-tile.tsx'
import { Input } from '../../../platform/ui/input.tsx'

const SHOWN = 8

type DocumentSearchProps = { chosen: readonly string[]; onChoose: (id: string, name: string) => void }

/** Searches documents of the library by name, newest first. */
export function DocumentSearch({ chosen, onChoose }: DocumentSearchProps) {
  const { t } = useTranslation('documents')
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const { data, isError } = useQuery({
    queryKey: ['documents', 'to-choose', q],
    queryFn: ({ signal }) =>
      call(listDocuments, { query: { ...(q ? { q } : {}), limit: SHOWN * 2 }, signal }),
    placeholderData: keepPreviousData,
  })
  const found = data?.items.filter(({ id }) => !chosen.includes(id)).slice(0, SHOWN) ?? []
  return (
    <div className="grid gap-2">
      <Input
        type="search"
        quiet
        maxLength={200}
        icon={<Search aria-hidden />}
        aria-label={t('choose.find')}
        placeholder={t('choose.find')}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {found.length > 0 && (
        <ul aria-label={t('choose.found')} className="rounded-card border border-line p-1">
          {found.map(({ id, name }) => (
            <li key={id}>
              <button
                type="button"
                className="flex min-h-10 w-full items-center gap-2.5 rounded-control px-2 text-left text-13 hover:bg-surface-2 max-md:min-h-11"
                onClick={() => onChoose(id, name)}
              >
                <FileTile extension={extensionOf(name)} size="sm" />
                <span className="min-w-0 flex-1 truncate">{name}</span>
                <Plus aria-hidden className="icon-14 text-ink-3" />
                <span className="sr-only">{t('choose.add')}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {data && found.length === 0 && (
        <p className="text-13 text-ink-2">{t(typed.trim() ? 'choose.no_hit' : 'choose.no_more')}</p>
      )}
      {isError && <p className="text-13 text-ink-2">{t('choose.search_failed')}</p>}
    </div>
  )
}
