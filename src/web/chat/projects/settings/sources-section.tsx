import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import {
  listWorkspaceConnectors,
  setWorkspaceConnector,
} from '#shared/knowledge/workspaces/workspace-connectors.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { LoadFailure } from '../../../platform/ui/states/load-failure.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { projectsKey } from '../use-projects.ts'
import { SettingsSection } from './settings-section.tsx'

const SHOWN = 100

/** The connected sources whose documents belong to a project. */
export function SourcesSection({ project: { id } }: { project: ProjectDetails }) {
  const { t } = useTranslation('projects')
  const { data, error, refetch, isPending, set } = useProjectSources(id)
  return (
    <SettingsSection title={t('sources.title')} text={t('sources.text')}>
      {isPending && <Skeletons sizes={['h-6 w-56', 'h-6 w-48']} />}
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {data?.items.map(({ id: connector_id, name, is_in }) => (
        <Checkbox
          key={connector_id}
          checked={is_in}
          label={<span dir="auto">{name}</span>}
          onCheckedChange={(checked) => set({ connector_id, is_in: checked })}
        />
      ))}
      {data && data.total > data.items.length && (
        <p className="text-12 text-ink-3">{t('sources.more', { shown: SHOWN, count: data.total })}</p>
      )}
      {data?.total === 0 && (
        <p className="text-13 text-ink-2">
          {t('sources.none')}{' '}
          <Link to="/documents/connectors" className="text-accent underline">
            {t('sources.connect')}
          </Link>
        </p>
      )}
    </SettingsSection>
  )
}

function useProjectSources(workspaceId: string) {
  const { t } = useTranslation('projects')
  const client = useQueryClient()
  const queryKey = [...projectsKey, 'sources', workspaceId]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      call(listWorkspaceConnectors, { params: { workspaceId }, query: { limit: SHOWN }, signal }),
  })
  const { mutate, variables, isPending } = useMutation({
    mutationFn: (body: { connector_id: string; is_in: boolean }) =>
      call(setWorkspaceConnector, { params: { workspaceId }, body }),
    onError: (error) => void toast.error(errorText(t, error)),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey }),
        client.invalidateQueries({ queryKey: ['documents'] }),
      ]),
  })
  const items = query.data?.items.map((item) =>
    isPending && variables.connector_id === item.id ? { ...item, is_in: variables.is_in } : item,
  )
  return { ...query, data: query.data && { ...query.data, items: items ?? [] }, set: mutate }
}
