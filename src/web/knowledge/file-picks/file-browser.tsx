import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { ChevronRight, Folder } from 'lucide-react'
import { useState } from 'react'
import { browseFiles, type SourceEntry } from '#shared/knowledge/file-picks/file-picks.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { sizeText } from '../../platform/ui/files/file-size.ts'
import { FileTile } from '../../platform/ui/files/file-tile.tsx'
import { LoadFailure } from '../../platform/ui/states/load-failure.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import type { Chosen } from './use-picking.ts'

type Props = {
  pickId: string
  /** Name of the source. */
  name: string
  chosen: readonly Chosen[]
  /** Files that can be chosen. */
  most: number
  onChange: (chosen: Chosen[]) => void
}

/** The folders and files of a source, one folder at a time. Chosen files stay chosen in other folders. */
export function FileBrowser({ pickId, name, chosen, most, onChange }: Props) {
  const { t } = useTranslation('file_picks')
  const [path, setPath] = useState('')
  const { data, error, refetch } = useQuery({
    queryKey: ['file-pick-entries', pickId, path],
    queryFn: ({ signal }) => call(browseFiles, { body: { pick_id: pickId, path }, signal }),
    staleTime: 60_000,
    retry: false,
  })
  const toggle = (entry: SourceEntry, isOn: boolean) => {
    const others = chosen.filter(({ id }) => id !== entry.id)
    onChange(isOn ? [...others, { id: entry.id, path: entry.path, name: entry.name }] : others)
  }
  return (
    <div className="grid gap-2 pt-2">
      <Trail name={name} path={path} onOpen={setPath} />
      <section
        aria-label={path.split('/').at(-1) || name}
        aria-busy={!data && !error}
        className="h-80 overflow-y-auto rounded-card border border-line"
      >
        {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
        {!data && !error && (
          <Skeletons className="grid gap-3 p-3" sizes={['h-6 w-48', 'h-6 w-64', 'h-6 w-40']} />
        )}
        {data?.items.length === 0 && <p className="px-4 py-3 text-13 text-ink-3">{t('empty')}</p>}
        {data && (
          <ul>
            {data.items.map((entry) => (
              <li key={entry.id} className="border-b border-line last:border-b-0">
                {entry.is_folder ? (
                  <FolderRow entry={entry} onOpen={setPath} />
                ) : (
                  <FileRow
                    entry={entry}
                    isChosen={chosen.some(({ id }) => id === entry.id)}
                    isFull={chosen.length >= most}
                    onToggle={(isOn) => toggle(entry, isOn)}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </section>
      {data?.has_more && <p className="text-12 text-ink-3">{t('more')}</p>}
    </div>
  )
}

type TrailProps = { name: string; path: string; onOpen: (path: string) => void }

/** The folders above, as buttons. */
function Trail({ name, path, onOpen }: TrailProps) {
  const { t } = useTranslation('file_picks')
  const parts = path === '' ? [] : path.split('/')
  const steps = [{ label: name, at: '' }].concat(
    parts.map((label, index) => ({ label, at: parts.slice(0, index + 1).join('/') })),
  )
  return (
    <nav aria-label={t('path')}>
      <ol className="flex flex-wrap items-center gap-1 text-13">
        {steps.map(({ label, at }, index) => (
          <li key={at} className="flex min-w-0 items-center gap-1">
            {index > 0 && <ChevronRight aria-hidden className="icon-14 flex-none text-ink-3" />}
            <button
              type="button"
              dir="auto"
              aria-current={at === path ? 'page' : undefined}
              className={clsx(
                'min-h-6 truncate rounded-control px-1 hover:bg-surface-2',
                at === path && 'font-medium',
              )}
              onClick={() => onOpen(at)}
            >
              {label}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function FolderRow({ entry, onOpen }: { entry: SourceEntry; onOpen: (path: string) => void }) {
  const { t } = useTranslation('file_picks')
  return (
    <button
      type="button"
      aria-label={t('folder', { name: entry.name })}
      className="flex min-h-11 w-full items-center gap-2.5 px-3 text-start text-13 hover:bg-surface-2"
      onClick={() => onOpen(entry.path)}
    >
      <Folder aria-hidden className="icon flex-none text-ink-2" />
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {entry.name}
      </span>
      <ChevronRight aria-hidden className="icon flex-none text-ink-3" />
    </button>
  )
}

type FileRowProps = {
  entry: SourceEntry
  isChosen: boolean
  /** No more files can be chosen. */
  isFull: boolean
  onToggle: (isOn: boolean) => void
}

function FileRow({ entry: { name, size }, isChosen, isFull, onToggle }: FileRowProps) {
  const { t } = useTranslation('file_picks')
  return (
    <Checkbox
      checked={isChosen}
      disabled={isFull && !isChosen}
      onCheckedChange={onToggle}
      className="flex min-h-11 w-full items-center px-3"
      label={
        <span className="flex min-w-0 items-center gap-2.5">
          <FileTile extension={extensionOf(name)} />
          <span dir="auto" className="min-w-0 truncate">
            {name}
          </span>
          {size !== null && <span className="num flex-none text-12 text-ink-3">{sizeText(t, size)}</span>}
        </span>
      }
    />
  )
}
