import { Dialog as Base } from '@base-ui/react/dialog'
import { ExternalLink, Maximize2, Minimize2, RefreshCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { InputRequiredBlock, ToolBlock } from '#shared/runs/runs/blocks.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { cardStatus } from '../../../platform/lib/card-status.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { PanelHeader } from '../../../platform/ui/panel-header.tsx'
import { Tabs } from '../../../platform/ui/tabs.tsx'
import { StatusBadge } from '../card/tool-card.tsx'
import { useWhole } from '../card/use-whole.ts'
import { factsOf, toolIcon } from '../look/tool-look.ts'
import { useToolName } from '../look/tool-name.ts'
import { useToolCard } from '../look/use-tool-card.ts'
import { useTool } from '../look/use-tools.ts'
import { EventList } from './event-list.tsx'
import { ExecutionInput } from './execution-input.tsx'
import { ExecutionOutput } from './execution-output.tsx'
import { useMoreBelow } from './use-more-below.ts'
import { useRerun } from './use-rerun.ts'

type View = 'output' | 'input' | 'events'

type ExecutionProps = {
  block: ToolBlock
  /** Chat that a rerun is reported to. */
  sessionId: string | null
  /** Pending input request of a standalone execution. */
  request?: InputRequiredBlock | null
  /** Note below the header. */
  note?: ReactNode
  /** Whether the inputs are initially shown as a form. */
  isEditing?: boolean
  /** Called with the id of a rerun. */
  onStarted: (id: string) => void
  onClose?: () => void
}

/** Details of an execution: output, input and events, with a rerun button. */
export function Execution({
  block: held,
  sessionId,
  isEditing = false,
  onStarted,
  onClose,
  ...rest
}: ExecutionProps) {
  const { t } = useTranslation('streaming_blocks')
  const [view, setView] = useState<View>(isEditing ? 'input' : 'output')
  const [isForm, setForm] = useState(isEditing)
  const [isFull, setFull] = useState(false)
  const block = useWhole(held, true).whole ?? held
  const name = useToolName(block.tool_id, block.tool_name)
  const again = useRerun(block, sessionId, onStarted)
  const edit = () => {
    setView('input')
    setForm(true)
  }
  const content = { ...rest, block, name, again, view, setView, isForm, setForm, edit }
  return (
    <>
      <Content
        {...content}
        {...(onClose && { onClose })}
        sizing={
          // No enlarge button where the execution already fills the window.
          <IconButton
            name={t('artifact.full_screen')}
            className="max-sm:hidden"
            onClick={() => setFull(true)}
          >
            <Maximize2 aria-hidden className="icon" />
          </IconButton>
        }
      />
      <FullScreen name={name} isOpen={isFull} onClose={() => setFull(false)}>
        <Content
          {...content}
          onClose={null}
          sizing={
            <IconButton name={t('artifact.leave_full_screen')} onClick={() => setFull(false)}>
              <Minimize2 aria-hidden className="icon" />
            </IconButton>
          }
        />
      </FullScreen>
    </>
  )
}

type ContentProps = Pick<ExecutionProps, 'block' | 'request' | 'note'> & {
  name: string
  again: ReturnType<typeof useRerun>
  view: View
  setView: (view: View) => void
  isForm: boolean
  setForm: (isForm: boolean) => void
  edit: () => void
  /** Button that enlarges or shrinks the execution. */
  sizing: ReactNode
  onClose?: (() => void) | null
}

function Content({ block, request, note, name, again, view, setView, sizing, ...rest }: ContentProps) {
  const { t } = useTranslation('streaming_blocks')
  const { isForm, setForm, edit, ...closing } = rest
  const { card, missing } = useToolCard(block.tool_id)
  const { data: tool } = useTool(block.tool_id)
  const facts = factsOf(block)
  const status = cardStatus(facts)
  const Icon = card?.Icon ?? toolIcon(`${block.tool_id} ${block.tool_name}`)
  const { scroller, hasMore } = useMoreBelow(`${status} ${view}`)
  const remedies = tool && { retry: () => again.rerun(), edit, isBusy: again.isStarting }
  return (
    <>
      <PanelHeader
        {...closing}
        title={name}
        icon={<Icon aria-hidden className="icon flex-none" />}
        badges={<StatusBadge status={status} error={facts.error} />}
        actions={
          <>
            {tool && (
              <IconButton
                name={t('artifact.run_again')}
                disabled={again.isStarting || status === 'running' || block.input_ref !== undefined}
                onClick={() => again.rerun()}
              >
                <RefreshCw aria-hidden className="icon" />
              </IconButton>
            )}
            {block.tool_id && <ToolLink toolId={block.tool_id} />}
            {sizing}
          </>
        }
      />
      {note}
      <Tabs
        name={t('artifact.views')}
        value={view}
        onValueChange={(next) => setView(next as View)}
        tabs={[
          { value: 'output', label: t('artifact.output') },
          { value: 'input', label: t('artifact.input') },
          { value: 'events', label: t('artifact.events'), count: block.events.length },
        ]}
        className="flex-none px-4"
      />
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto p-4">
        <div className="mx-auto max-w-[960px]">
          {view === 'output' && (
            <ExecutionOutput {...{ block, request, card, missing, facts, status, remedies }} />
          )}
          {view === 'input' && <ExecutionInput {...{ block, tool, again, isForm, setForm }} />}
          {view === 'events' && <EventList events={block.events} />}
        </div>
      </div>
      <div aria-hidden className={`h-px flex-none ${hasMore ? 'bg-line-2' : ''}`} />
    </>
  )
}

function ToolLink({ toolId }: { toolId: string }) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <a
      href={`/tools/${encodeURIComponent(toolId)}`}
      aria-label={t('artifact.open_tool')}
      data-tip={t('artifact.open_tool')}
      className="inline-grid size-8 flex-none place-items-center rounded-control text-ink-2 hover-motion hover:bg-surface-2 hover:text-ink max-md:size-11"
    >
      <ExternalLink aria-hidden className="icon" />
    </a>
  )
}

type FullScreenProps = { name: string; isOpen: boolean; onClose: () => void; children: ReactNode }

/** Full-window dialog. Escape closes it and restores the focus. */
function FullScreen({ name, isOpen, onClose, children }: FullScreenProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(next) => next || onClose()}>
      <Base.Portal>
        <Base.Popup
          aria-label={name}
          className="fade-motion fixed inset-0 z-(--z-modal) flex flex-col bg-bg outline-none"
        >
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
