import { Pencil, Trash2 } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import type { Workspace } from '#shared/knowledge/workspaces/workspaces.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import type { MenuEntry } from '../../platform/ui/overlays/menu-entry.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { NameForm } from './name-form.tsx'
import { renameWorkspace } from './workspace-changes.ts'

type WorkspaceRowsProps = {
  items: readonly Workspace[]
  /** Renders one as a list item; `change` are its menu entries to rename and delete it, none for the default one. */
  row: (workspace: Workspace, change: MenuEntry[]) => ReactNode
  onDeleted?: (id: string) => void
}

/** Workspaces as a list, renamed inline and deleted after a confirmation. */
export function WorkspaceRows({ items, row, onDeleted }: WorkspaceRowsProps) {
  const { t } = useTranslation('documents')
  const [renaming, setRenaming] = useState<string | null>(null)
  const [deleting, setDeleting] = useState<Workspace | null>(null)
  const changeOf = (workspace: Workspace): MenuEntry[] =>
    workspace.is_default
      ? []
      : [
          {
            label: t('workspace.rename'),
            icon: <Pencil aria-hidden />,
            onSelect: () => setRenaming(workspace.id),
          },
          { kind: 'separator' },
          {
            label: t('workspace.delete'),
            icon: <Trash2 aria-hidden />,
            tone: 'danger',
            onSelect: () => setDeleting(workspace),
          },
        ]
  return (
    <>
      <ul>
        {items.map((workspace) =>
          renaming === workspace.id ? (
            <li key={workspace.id} className="px-1 py-1">
              <NameForm
                name={workspace.name}
                submitLabel={t('workspace.rename')}
                onSubmit={(name) => renameWorkspace(workspace.id, name)}
                onClose={() => setRenaming(null)}
              />
            </li>
          ) : (
            <Fragment key={workspace.id}>{row(workspace, changeOf(workspace))}</Fragment>
          ),
        )}
      </ul>
      <DeleteDialog
        workspace={deleting}
        onClose={() => setDeleting(null)}
        {...(onDeleted && { onDeleted })}
      />
    </>
  )
}
