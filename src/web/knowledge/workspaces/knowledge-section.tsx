import { useNavigate } from '@tanstack/react-router'
import { FolderPlus, Search } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Workspace } from '#shared/knowledge/workspaces/workspaces.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { titleOf, useSessionDetails } from '../../runs/sessions/sessions.ts'
import { KnowledgeRow } from './knowledge-row.tsx'
import { MoreWorkspaces, WorkspacesFailed } from './more-workspaces.tsx'
import { NameForm } from './name-form.tsx'
import { useWorkspaces } from './use-workspaces.ts'
import { makeWorkspace, setLinked } from './workspace-changes.ts'
import { WorkspaceRows } from './workspace-rows.tsx'

/** The workspaces a chat may use: link, unlink, create, rename and delete them. */
export function KnowledgeSection({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('documents')
  const navigate = useNavigate()
  const all = useWorkspaces()
  const linked = useWorkspaces(sessionId)
  const [words, setWords] = useState('')
  const mayCreate = useIsOpen('create_project')
  const [isMaking, setMaking] = useState(false)
  const make = useMake(sessionId)
  const list = useRef<HTMLDivElement>(null)
  if (all.isPending || linked.isPending) return <Skeletons sizes={['h-8 w-full', 'h-8 w-11/12']} />
  if (all.isError && all.items.length === 0) return <WorkspacesFailed onRetry={() => void all.refetch()} />
  const linkedIds = new Set(linked.items.map(({ id }) => id))
  const matches = ({ name }: Workspace) => name.toLowerCase().includes(words.trim().toLowerCase())
  const link = (workspace: Workspace, isLinked: boolean) =>
    setLinked(sessionId, workspace.id, isLinked).catch((error) => toast.error(errorText(t, error)))
  const rows = (items: readonly Workspace[], isLinked: boolean) => (
    <WorkspaceRows
      items={items.filter(matches)}
      row={(workspace, change) => (
        <KnowledgeRow
          workspace={workspace}
          isLinked={isLinked}
          change={change}
          onLink={(next) => void link(workspace, next)}
          onOpen={() => void navigate({ to: `/documents/workspace/${workspace.id}` })}
        />
      )}
    />
  )
  const others = all.items.filter(({ id }) => !linkedIds.has(id))
  return (
    <div ref={list} className="pt-2 pb-3">
      <p className="px-4 pb-2 text-12 text-ink-2">{t('knowledge.what')}</p>
      <div className="flex gap-1.5 px-3">
        <Input
          type="search"
          quiet
          icon={<Search aria-hidden />}
          aria-label={t('workspace.find')}
          placeholder={t('workspace.find')}
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        {mayCreate && (
          <IconButton
            name={t('workspace.new')}
            variant="lined"
            aria-expanded={isMaking}
            onClick={() => setMaking(!isMaking)}
          >
            <FolderPlus aria-hidden className="icon" />
          </IconButton>
        )}
      </div>
      {isMaking && (
        <div className="px-3 pt-2">
          <NameForm
            hint={t('knowledge.new_hint')}
            submitLabel={t('knowledge.create')}
            onSubmit={make}
            onClose={() => setMaking(false)}
          />
        </div>
      )}
      <Heading>{t('knowledge.linked')}</Heading>
      {linked.items.length === 0 && <p className="px-4 text-13 text-ink-2">{t('knowledge.none')}</p>}
      {rows(linked.items, true)}
      <Heading>{t('knowledge.all')}</Heading>
      {rows(others, false)}
      <MoreWorkspaces list={all} inside={list} />
    </div>
  )
}

/** Number of workspaces the chat uses. */
export function KnowledgeNote({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('documents')
  const linked = useWorkspaces(sessionId)
  return linked.isSuccess && linked.total > 0 ? t('knowledge.count', { count: linked.total }) : null
}

function Heading({ children }: { children: string }) {
  return <h4 className="px-4 pt-3 pb-1 text-12 font-medium text-ink-3">{children}</h4>
}

/** Creates a workspace for this chat; its description names the chat. */
function useMake(sessionId: string) {
  const { t } = useTranslation('documents')
  const { data: session } = useSessionDetails(sessionId)
  return (name: string) =>
    makeWorkspace(name, {
      id: sessionId,
      description: t('workspace.from_chat', { chat: session ? titleOf(session, t) : sessionId }),
    })
}
