import clsx from 'clsx'
import { LayoutGrid, List } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { selectTool, useSelectedTool } from '../../platform/lib/selected-tools.ts'
import { Button } from '../../platform/ui/button.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { ToolIcon, useToolTexts } from './look/tool-texts.tsx'
import { useSessionTools } from './session-tools.ts'

type Layout = 'list' | 'grid'

/** Tools of the session as a list or grid. One can be selected for the next messages. */
export function ToolsSection({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('tools')
  const [layout, setLayout] = useState<Layout>('list')
  const { tools, isLoading, failed, retry } = useSessionTools(sessionId)
  useEffect(() => {
    if (failed) void toast.error(t(failed === 'tools' ? 'load_failed' : 'session_failed'), { id: 'tools' })
  }, [failed, t])
  if (isLoading) return <Skeletons sizes={['h-8 w-full', 'h-8 w-11/12']} />
  if (!tools || failed)
    return (
      <div className="grid justify-items-start gap-2 p-4 text-13 text-ink-2">
        {t(failed === 'session' ? 'session_failed' : 'load_failed')}
        <Button size="sm" onClick={retry}>
          {t('common:actions.retry')}
        </Button>
      </div>
    )
  return (
    <div className="pt-2 pb-3">
      <div className="flex items-center pr-3 pb-1.5 pl-4">
        <span className="flex-1 text-12 text-ink-3">{t('section.title')}</span>
        <LayoutButton name={t('as_list')} isOn={layout === 'list'} onClick={() => setLayout('list')}>
          <List aria-hidden className="icon-14" />
        </LayoutButton>
        <LayoutButton name={t('as_grid')} isOn={layout === 'grid'} onClick={() => setLayout('grid')}>
          <LayoutGrid aria-hidden className="icon-14" />
        </LayoutButton>
      </div>
      {tools.length === 0 && <p className="px-4 text-13 text-ink-2">{t('section.empty')}</p>}
      <ul
        className={layout === 'grid' ? 'grid grid-cols-[repeat(auto-fill,minmax(120px,1fr))] gap-2 px-4' : ''}
      >
        {tools.map((tool) => (
          <ToolRow key={tool.id} tool={tool} sessionId={sessionId} layout={layout} />
        ))}
      </ul>
    </div>
  )
}

/** Number of tools in the session, or the name of the selected one. */
export function ToolsNote({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('tools')
  const { tools } = useSessionTools(sessionId)
  const selected = useSelectedTool(sessionId)
  const chosen = tools?.find(({ id }) => id === selected)
  if (chosen) return <ToolName tool={chosen} />
  return tools ? t('section.count', { count: tools.length }) : null
}

function ToolName({ tool }: { tool: Tool }) {
  return useToolTexts(tool).name
}

function ToolRow({ tool, sessionId, layout }: { tool: Tool; sessionId: string; layout: Layout }) {
  const { t } = useTranslation('tools')
  const { name, description } = useToolTexts(tool)
  const isOn = useSelectedTool(sessionId) === tool.id
  return (
    <li>
      <button
        type="button"
        aria-pressed={isOn}
        onClick={() => selectTool(sessionId, isOn ? null : tool.id)}
        className={clsx(
          'relative flex w-full gap-3 text-left hover-motion focus-visible:-outline-offset-2',
          layout === 'grid'
            ? 'h-full flex-col rounded-card border p-3'
            : 'items-center px-4 py-2 before:absolute before:inset-y-0 before:left-0 before:w-0.5',
          isOn ? 'border-accent bg-accent-soft before:bg-accent' : 'border-line hover:bg-surface',
        )}
      >
        <span className="inline-grid size-8 flex-none place-items-center rounded-row bg-surface-2 text-ink-2">
          <ToolIcon tool={tool} className="icon" />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate text-13 font-medium">{name}</span>
          <span className={clsx('text-12 text-ink-2', layout === 'grid' ? 'line-clamp-2' : 'block truncate')}>
            {isOn ? t('section.chosen') : description}
          </span>
        </span>
      </button>
    </li>
  )
}

type LayoutButtonProps = { name: string; isOn: boolean; onClick: () => void; children: React.ReactNode }

function LayoutButton({ name, isOn, onClick, children }: LayoutButtonProps) {
  return (
    <IconButton name={name} size="xs" on={isOn} aria-pressed={isOn} onClick={onClick}>
      {children}
    </IconButton>
  )
}
