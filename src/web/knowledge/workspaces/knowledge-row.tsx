import { Ellipsis, Folder, FolderOpen, Lock, Unlink } from 'lucide-react'
import type { Workspace } from '#shared/knowledge/workspaces/workspaces.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Switch } from '../../platform/ui/checkbox.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { ContextMenu, Menu } from '../../platform/ui/overlays/menu.tsx'
import type { MenuEntry } from '../../platform/ui/overlays/menu-entry.ts'

type Props = {
  workspace: Workspace
  isLinked: boolean
  onLink: (isLinked: boolean) => void
  onOpen: () => void
  /** Menu entries that rename and delete it. */
  change: MenuEntry[]
}

/** A workspace next to the chat, with a switch that links it. */
export function KnowledgeRow({ workspace, isLinked, onLink, onOpen, change }: Props) {
  const { t } = useTranslation('documents')
  const { name, document_count, is_default } = workspace
  const Icon = isLinked ? FolderOpen : Folder
  const entries: MenuEntry[] = [
    { label: t('workspace.open'), icon: <Folder aria-hidden />, onSelect: onOpen },
    ...(isLinked
      ? [{ label: t('knowledge.unlink'), icon: <Unlink aria-hidden />, onSelect: () => onLink(false) }]
      : []),
    ...change,
  ]
  return (
    <ContextMenu entries={entries}>
      <li className="flex items-center gap-2.5 px-4 py-1.5 hover-motion hover:bg-surface">
        <Icon aria-hidden className={`icon ${isLinked ? 'text-accent' : 'text-ink-2'}`} />
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-1.5">
            <span className="truncate text-13 font-medium">{name}</span>
            {is_default && (
              <Lock role="img" aria-label={t('workspace.default')} className="icon-12 text-ink-3" />
            )}
          </span>
          <span className="block truncate text-12 text-ink-2">{t('count', { count: document_count })}</span>
        </span>
        <Menu
          align="end"
          entries={entries}
          trigger={
            <IconButton name={t('workspace.menu', { name })} size="xs">
              <Ellipsis aria-hidden className="icon-14" />
            </IconButton>
          }
        />
        <Switch checked={isLinked} aria-label={t('knowledge.link', { name })} onCheckedChange={onLink} />
      </li>
    </ContextMenu>
  )
}
