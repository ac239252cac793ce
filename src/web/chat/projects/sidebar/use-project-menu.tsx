import { useNavigate } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, FolderOpen, Pin, PinOff, SquarePen, Users } from 'lucide-react'
import type { Project } from '#shared/chat/projects/projects.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import type { MenuEntry } from '../../../platform/ui/overlays/menu-entry.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { useStartInProject } from '../start-in-project.ts'
import { markProject } from '../use-projects.ts'

type Moves = { onUp: (() => void) | null; onDown: (() => void) | null }

/** Returns the entries of a project's menu. */
export function useProjectMenu(project: Project, { onUp, onDown }: Moves): MenuEntry[] {
  const { t } = useTranslation('projects')
  const navigate = useNavigate()
  const { start } = useStartInProject()
  const { id, is_pinned } = project
  const open = (tab?: string) =>
    void navigate({ to: '/project/$projectId/{-$tab}', params: { projectId: id, tab } })
  const pin = () =>
    markProject({ workspace_id: id, is_pinned: !is_pinned }).catch(() => toast.error(t('failed.mark')))
  return [
    { label: t('row.new_chat'), icon: <SquarePen aria-hidden />, onSelect: () => void start(id) },
    { label: t('row.open'), icon: <FolderOpen aria-hidden />, onSelect: () => open() },
    { label: t('row.members'), icon: <Users aria-hidden />, onSelect: () => open('members') },
    { kind: 'separator' },
    {
      label: t(is_pinned ? 'row.unpin' : 'row.pin'),
      icon: is_pinned ? <PinOff aria-hidden /> : <Pin aria-hidden />,
      onSelect: () => void pin(),
    },
    ...(onUp ? [{ label: t('row.up'), icon: <ArrowUp aria-hidden />, onSelect: onUp }] : []),
    ...(onDown ? [{ label: t('row.down'), icon: <ArrowDown aria-hidden />, onSelect: onDown }] : []),
  ]
}
