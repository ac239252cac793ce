import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { useWorkspace, useWorkspaces } from '../../../workspaces/workspaces.ts'
import { type LibraryFilter, writeFilter } from '../library-filter.ts'
import { FilterChip } from './filter-chip.tsx'

type Props = { workspaceId: string | null; filter: LibraryFilter }

/** Filters by workspace: navigates to its address with the same filters. */
export function WorkspaceChip({ workspaceId, filter }: Props) {
  const { t } = useTranslation('documents')
  const navigate = useNavigate()
  const { items } = useWorkspaces()
  const { data } = useWorkspace(workspaceId)
  const name = data && 'name' in data ? data.name : ''
  const go = (id: string | null) =>
    void navigate({
      to: id ? `/documents/workspace/${id}` : '/documents',
      search: writeFilter({ ...filter, chat: null }),
    })
  return (
    <FilterChip
      name={t('filter.workspace')}
      value={workspaceId && name}
      onClear={() => go(null)}
      entries={items.map((workspace) => ({
        key: workspace.id,
        label: workspace.name,
        checked: workspace.id === workspaceId,
        onSelect: () => go(workspace.id),
      }))}
    />
  )
}
