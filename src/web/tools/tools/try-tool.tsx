import { Play } from 'lucide-react'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Switch } from '../../platform/ui/checkbox.tsx'
import { Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { ToolCard } from './card/tool-card.tsx'
import { toBlock, useExecution, useStart } from './card/use-execution.ts'
import { Examples } from './examples.tsx'
import { readValues, startValues } from './execution/inputs.ts'
import { ToolFields } from './execution/tool-fields.tsx'
import { useCardOf } from './look/use-tool-card.ts'

const RequestPreview = lazy(() => import('./own/request-preview.tsx'))
const ExecutionRequest = lazy(() => import('./execution/execution-request.tsx'))

type TryToolProps = {
  tool: Tool
  /** Id of the execution shown; null for none. */
  tried: string | null
  onTried: (executionId: string | null) => void
}

/** Executes a tool for real with the user's inputs. In test mode, only shows sample results. */
export function TryTool({ tool, tried, onTried }: TryToolProps) {
  const { t } = useTranslation('tools')
  const [isTest, setTest] = useState(false)
  const [edited, setEdited] = useState<Record<string, string> | null>(null)
  const { start, isStarting, failure, fields, forget } = useStart(tool.id, onTried)
  const { execution: found, error: unreadable } = useExecution(tried)
  const execution = found?.tool_id === tool.id ? found : undefined
  const asked = execution?.request ?? null
  const isRunning = isStarting || (tried !== null && !execution?.finished_at && !unreadable)
  const values = edited ?? startValues(tool, execution?.input)
  const input = readValues(tool, values)
  const change = (next: Record<string, string>) => {
    setEdited(next)
    // The result of the previous inputs no longer applies.
    forget()
    if (tried !== null) onTried(null)
  }
  const { card } = useCardOf(tool)
  const edits = isTest ? [] : (card?.edits ?? [])
  const isWrongBelow = fields.some(({ path }) => !edits.includes(path))
  const only = (name: string) => Object.keys(tool.input_schema.properties).filter((one) => one !== name)
  const field = (name: string) => (
    <ToolFields
      {...{ tool, values, wrong: fields, onChange: change, without: only(name) }}
      disabled={isRunning}
    />
  )
  const shown = (
    <ToolCard
      block={execution ? toBlock(execution, tool.ui_name) : { ...emptyBlock(tool), input }}
      {...(edits.length > 0 && !isRunning && !execution
        ? { onInput: (changed) => change({ ...values, ...changed }), field }
        : {})}
    />
  )
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isTest || isRunning) return
    setEdited(values)
    void start(input)
  }
  return (
    <section className="grid grid-cols-1 gap-4">
      <div className="flex items-center">
        <h3 className="flex-1 text-13 font-semibold">{t('try.title')}</h3>
        <Switch
          checked={isTest}
          onCheckedChange={setTest}
          label={<span className="text-13 text-ink-2">{t('try.test_mode')}</span>}
        />
      </div>
      <form onSubmit={onSubmit} noValidate className="grid grid-cols-1 gap-4">
        {edits.length > 0 && shown}
        <ToolFields
          {...{ tool, values, wrong: fields, onChange: change, without: edits }}
          disabled={isTest || isRunning}
        />
        {!isTest && (
          <Button
            type="submit"
            variant={asked ? 'secondary' : 'primary'}
            size="lg"
            wide
            busy={isRunning && !asked}
            disabled={asked !== null || tool.missing.some(({ part }) => part === 'switch')}
            icon={<Play aria-hidden className="icon" />}
          >
            {t('try.run')}
          </Button>
        )}
        {!isTest && tool.own && tool.kind === 'api' && (
          <Suspense>
            <RequestPreview toolId={tool.id} read={() => input} />
          </Suspense>
        )}
        {edits.length > 0 && execution && !isRunning && (
          <Button size="lg" wide onClick={() => change(values)}>
            {t('try.change')}
          </Button>
        )}
      </form>
      {failure !== null && !isWrongBelow && (
        <Callout tone="danger" title={t('try.failed')}>
          {errorText(t, failure)}
        </Callout>
      )}
      {unreadable && (
        <Callout tone="danger" title={t('try.unreadable')}>
          {errorText(t, unreadable)}
        </Callout>
      )}
      {isTest && <Examples tool={tool} />}
      {!isTest && edits.length === 0 && shown}
      {execution && asked && !card?.asks && (
        <Suspense fallback={<Skeleton className="h-40 rounded-card" />}>
          <ExecutionRequest id={execution.id} request={asked} />
        </Suspense>
      )}
    </section>
  )
}

function emptyBlock({ id, ui_name }: Tool) {
  return {
    ...{ type: 'tool' as const, id: 'preview', tool_id: id, tool_name: ui_name, status: 'pending' as const },
    ...{ input: null, result: null, error: null, events: [] },
  }
}
