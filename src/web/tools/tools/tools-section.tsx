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
import { OfferSwitch } from './offer-switch.tsx'
import { useSessionTools } from './session-tools.ts'

type Layout = 'list' | 'grid'

/** Tools as a list or grid. A click selects one for the next messages; switches say which are offered. */
export function ToolsSection({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('tools')
  const [layout, setLayout] = useState<Layout>('list')
  const { tools, offered = [], isLoading, failed, retry } = useSessionTools(sessionId)
  useEffect(() => {
    if (failed) void toast.error(t(failed === 'tools' ? 'load_failed' : 'session_failed'))
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
          <ToolRow key={tool.id} isOffered={offered.includes(tool)} {...{ tool, sessionId, layout }} />
        ))}
      </ul>
    </div>
  )
}

/** Number of tools in the session, or the name of the selected one. */
export function ToolsNote({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('tools')
  const { offered } = useSessionTools(sessionId)
  const selected = useSelectedTool(sessionId)
  const chosen = offered?.find(({ id }) => id === selected)
  if (chosen) return <ToolName tool={chosen} />
  return offered ? t('section.count', { count: offered.length }) : null
}

function ToolName({ tool }: { tool: Tool }) {
  return useToolTexts(tool).name
}

type ToolRowProps = { tool: Tool; sessionId: string; layout: Layout; isOffered: boolean }

function ToolRow({ tool, sessionId, layout, isOffered }: ToolRowProps) {
  const { t } = useTranslation('tools')
  const { name, description } = useToolTexts(tool)
  const isOn = useSelectedTool(sessionId) === tool.id
  return (
    <li className="relative">
      <button
        type="button"
        aria-pressed={isOn}
        disabled={!isOffered}
        onClick={() => selectTool(sessionId, isOn ? null : tool.id)}
        className={clsx(
          'relative flex w-full gap-3 text-left hover-motion focus-visible:-outline-offset-2',
          layout === 'grid'
            ? 'h-full flex-col rounded-card border p-3'
            : 'items-center py-2 pr-14 pl-4 before:absolute before:inset-y-0 before:left-0 before:w-0.5',
          isOn ? 'border-accent bg-accent-soft before:bg-accent' : 'border-line hover:bg-surface',
          !isOffered && 'text-ink-3',
        )}
      >
        <span className="inline-grid size-8 flex-none place-items-center rounded-row bg-surface-2 text-ink-2">
          <ToolIcon tool={tool} className="icon" />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate text-13 font-medium">{name}</span>
          <span className={clsx('text-12 text-ink-2', layout === 'grid' ? 'line-clamp-2' : 'block truncate')}>
            {isOn ? t('section.chosen') : isOffered ? description : t('section.withheld')}
          </span>
        </span>
      </button>
      {tool.policy !== 'never' && (
        <OfferSwitch
          tool={tool}
          sessionId={sessionId}
          className={clsx('absolute right-4', layout === 'grid' ? 'top-4' : 'top-1/2 -translate-y-1/2')}
        />
      )}
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
