import { useNavigate, useParams } from '@tanstack/react-router'
import { Archive, FolderKanban, RotateCcw, Users } from 'lucide-react'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { Tabs } from '../../../platform/ui/tabs.tsx'
import { View } from '../../../platform/ui/view.tsx'
import { ProjectLook } from '../looks.tsx'
import { SettingsTab } from '../settings/settings-tab.tsx'
import { useProject } from '../use-projects.ts'
import { MembersTab } from './members-tab.tsx'
import { Overview } from './overview.tsx'

/** The page of a project: overview, members and settings. */
export function ProjectView() {
  const { t } = useTranslation('projects')
  const { projectId = '' } = useParams({ strict: false }) as { projectId?: string }
  const { data, isError, refetch } = useProject(projectId)
  if (isError || (data && 'notFound' in data))
    return (
      <View title={t('title')}>
        <EmptyState
          page
          icon={<FolderKanban aria-hidden />}
          title={t('gone.title')}
          action={
            isError && (
              <Button icon={<RotateCcw aria-hidden className="icon" />} onClick={() => void refetch()}>
                {t('common:actions.retry')}
              </Button>
            )
          }
        >
          {t('gone.text')}
        </EmptyState>
      </View>
    )
  if (!data)
    return (
      <View title={t('title')}>
        <div className="px-8 py-6 max-md:px-4">
          <Skeletons className="grid gap-4" sizes={['h-9 w-72', 'h-24 w-full', 'h-40 w-full']} />
        </div>
      </View>
    )
  return <Loaded key={data.id} project={data} />
}

function Loaded({ project }: { project: ProjectDetails }) {
  const { t } = useTranslation('projects')
  const navigate = useNavigate()
  const { tab = 'overview' } = useParams({ strict: false }) as { tab?: string }
  const { id, name, is_shared, is_archived, member_count, role } = project
  const tabs = [
    { value: 'overview', label: t('tabs.overview'), content: <Overview project={project} /> },
    {
      value: 'members',
      label: t('tabs.members'),
      count: member_count,
      content: <MembersTab project={project} />,
    },
    ...(role === 'manager'
      ? [
          {
            value: 'settings',
            label: t('tabs.settings'),
            content: <SettingsTab project={project} />,
          },
        ]
      : []),
  ]
  const shown = tabs.some(({ value }) => value === tab) ? tab : 'overview'
  return (
    <View
      title={name}
      heading={
        <span className="flex min-w-0 items-center gap-2 px-1.5">
          <ProjectLook {...project} />
          <span dir="auto" className="truncate">
            {name}
          </span>
        </span>
      }
      badges={
        <>
          {is_archived && (
            <Badge tone="warning" icon={<Archive aria-hidden />}>
              {t('archive.badge')}
            </Badge>
          )}
          {is_shared && (
            <Badge tone="line" icon={<Users aria-hidden />}>
              {t('shared')}
            </Badge>
          )}
        </>
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Tabs
          pinned
          name={t('tabs.label')}
          tabs={tabs}
          value={shown}
          onValueChange={(next) =>
            void navigate({
              to: '/project/$projectId/{-$tab}',
              params: { projectId: id, tab: next === 'overview' ? undefined : next },
            })
          }
          className="[&>[role=tablist]]:bg-bg [&>[role=tablist]]:px-8 max-md:[&>[role=tablist]]:px-4"
        />
      </div>
    </View>
  )
}
