import clsx from 'clsx'
import { ChevronRight, Folder } from 'lucide-react'
import { useState } from 'react'
import type { SourceFolder } from '#shared/knowledge/connectors/sources.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { choiceOf, type Trial, toggleFolder } from './connector-draft.ts'
import { useFolders } from './use-trial.ts'

type Props = { trial: Trial; chosen: readonly string[]; onChange: (chosen: string[]) => void }

/** The folders of a source, read as they are opened. A chosen folder has all folders below it. */
export function FolderTree(props: Props) {
  const { t } = useTranslation('connectors')
  return (
    <section
      aria-label={t('folders.title')}
      className="max-h-[420px] overflow-y-auto rounded-card border border-line"
    >
      <Level {...props} path="" depth={0} />
    </section>
  )
}

type LevelProps = Props & { path: string; depth: number }

function Level({ path, depth, ...tree }: LevelProps) {
  const { t } = useTranslation('connectors')
  const { data, error, refetch } = useFolders(tree.trial, path)
  if (error)
    return (
      <Callout
        tone="danger"
        className="m-2"
        action={
          <Button size="sm" onClick={() => void refetch()}>
            {t('common:actions.retry')}
          </Button>
        }
      >
        {errorText(t, error)}
      </Callout>
    )
  if (!data) return <Skeletons className="grid gap-2 p-3" sizes={['h-5 w-40', 'h-5 w-56']} />
  if (data.items.length === 0)
    return (
      <p className="px-4 py-2.5 text-13 text-ink-3" style={{ paddingInlineStart: indentOf(depth) }}>
        {t(depth === 0 ? 'folders.none' : 'folders.none_below')}
      </p>
    )
  return (
    <ul>
      {data.items.map((folder) => (
        <FolderRow key={folder.path} folder={folder} depth={depth} {...tree} />
      ))}
      {data.has_more && <li className="px-4 py-2 text-12 text-ink-3">{t('folders.more')}</li>}
    </ul>
  )
}

const indentOf = (depth: number) => `${12 + Math.min(depth, 8) * 22}px`

function FolderRow({ folder, depth, ...tree }: Props & { folder: SourceFolder; depth: number }) {
  const { t } = useTranslation('connectors')
  const [isOpen, setOpen] = useState(false)
  const { path, name, has_folders } = folder
  const choice = choiceOf(tree.chosen, path)
  return (
    <li className="border-b border-line last:border-b-0">
      <div
        className="flex min-h-10 items-center gap-2 pr-3.5 text-13 max-md:min-h-11"
        style={{ paddingInlineStart: indentOf(depth) }}
      >
        <span className="inline-grid w-6 flex-none place-items-center max-md:w-8">
          {has_folders && (
            <IconButton
              size="xs"
              name={t(isOpen ? 'folders.close' : 'folders.open', { name })}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              <ChevronRight aria-hidden className={clsx('icon-14 hover-motion', isOpen && 'rotate-90')} />
            </IconButton>
          )}
        </span>
        <Checkbox
          checked={choice === 'chosen' || choice === 'above'}
          mixed={choice === 'part'}
          disabled={choice === 'above'}
          onCheckedChange={() => tree.onChange(toggleFolder(tree.chosen, path))}
          className="min-w-0"
          label={
            <span className="flex min-w-0 items-center gap-2 text-13">
              <Folder aria-hidden className="icon-14 flex-none text-ink-3" />
              <span dir="auto" className="wrap-anywhere">
                {name}
              </span>
            </span>
          }
        />
      </div>
      {isOpen && (
        <div className="border-t border-line">
          <Level {...tree} path={path} depth={depth + 1} />
        </div>
      )}
    </li>
  )
}
