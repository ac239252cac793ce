import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { Ellipsis, Folder, FolderOpen, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Workspace } from '#shared/knowledge/workspaces/workspaces.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../../platform/lib/me/me.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { ContextMenu, Menu } from '../../../platform/ui/overlays/menu.tsx'
import type { MenuEntry } from '../../../platform/ui/overlays/menu-entry.ts'
import {
  MoreWorkspaces,
  makeWorkspace,
  NameForm,
  useWorkspaces,
  WorkspaceRows,
  WorkspacesFailed,
} from '../../workspaces/workspaces.ts'

/** The workspaces as links, with the current one marked. */
export function WorkspaceTree() {
  const { t } = useTranslation('documents')
  const navigate = useNavigate()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const current = /^\/documents\/workspace\/([^/]+)/.exec(path)?.[1] ?? null
  const list = useWorkspaces()
  const section = useRef<HTMLElement>(null)
  const mayCreate = useIsOpen('create_project')
  const [isMaking, setMaking] = useState(false)
  const make = async (name: string) => {
    const made = await makeWorkspace(name)
    void navigate({ to: `/documents/workspace/${made.id}` })
  }
  return (
    <section ref={section} aria-label={t('sidebar.workspaces')} className="tree tree-workspaces">
      <div className="tree-head">
        <h2>{t('sidebar.workspaces')}</h2>
        {mayCreate && (
          <IconButton
            name={t('workspace.new')}
            size="xs"
            aria-expanded={isMaking}
            onClick={() => setMaking(!isMaking)}
          >
            <Plus aria-hidden className="icon-14" />
          </IconButton>
        )}
      </div>
      {isMaking && (
        <NameForm submitLabel={t('workspace.create')} onSubmit={make} onClose={() => setMaking(false)} />
      )}
      {list.isError && list.items.length === 0 && <WorkspacesFailed onRetry={() => void list.refetch()} />}
      <WorkspaceRows
        items={list.items}
        onDeleted={(id) => id === current && void navigate({ to: '/documents' })}
        row={(workspace, change) => (
          <Entry workspace={workspace} isOn={workspace.id === current} change={change} />
        )}
      />
      <MoreWorkspaces list={list} inside={section} />
    </section>
  )
}

function Entry({ workspace, isOn, change }: { workspace: Workspace; isOn: boolean; change: MenuEntry[] }) {
  const { t } = useTranslation('documents')
  const { id, name, is_default, document_count } = workspace
  const Icon = isOn ? FolderOpen : Folder
  return (
    <ContextMenu entries={change} isOff={is_default}>
      <li className="tree-item">
        <Link to={`/documents/workspace/${id}`} aria-current={isOn ? 'page' : undefined} className="tree-row">
          <Icon aria-hidden className="icon" />
          <span className="min-w-0 flex-1 truncate">{name}</span>
          {is_default && <Badge>{t('workspace.default_short')}</Badge>}
          <span className="tree-count">{formatNumber(document_count)}</span>
        </Link>
        {!is_default && (
          <Menu
            align="end"
            entries={change}
            trigger={
              <IconButton name={t('workspace.menu', { name })} size="xs" className="tree-menu">
                <Ellipsis aria-hidden className="icon-14" />
              </IconButton>
            }
          />
        )}
      </li>
    </ContextMenu>
  )
}
