import { Play } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Tool } from '#shared/tools/tools.ts'
import { errorText } from '../i18n/error-text.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Switch } from '../ui/checkbox.tsx'
import { Examples } from './examples.tsx'
import { readValues, startValues } from './inputs.ts'
import { ToolCard } from './tool-card.tsx'
import { ToolInput } from './tool-input.tsx'
import { useExecution } from './use-execution.ts'

/** Executes a tool for real with inputs of one's own; in test mode it only shows how results look. */
export function TryTool({ tool }: { tool: Tool }) {
  const { t } = useTranslation('tools')
  const [isTest, setTest] = useState(false)
  const [values, setValues] = useState(() => startValues(tool))
  const { block, isRunning, failure, fields, run, forget } = useExecution(tool)
  const input = readValues(tool, values)
  const preview = block ?? { ...emptyBlock(tool), input }
  const change = (name: string, value: string) => {
    setValues({ ...values, [name]: value })
    forget()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isTest && !isRunning) void run(input)
  }
  return (
    <section className="grid gap-4">
      <div className="flex items-center">
        <h3 className="flex-1 text-13 font-semibold">{t('try.title')}</h3>
        <Switch
          checked={isTest}
          onCheckedChange={setTest}
          label={<span className="text-13 text-ink-2">{t('try.test_mode')}</span>}
        />
      </div>
      <form onSubmit={onSubmit} noValidate className="grid gap-4">
        {Object.entries(tool.input_schema.properties).map(([name, property]) => (
          <ToolInput
            key={name}
            tool={tool}
            name={name}
            property={property}
            value={values[name] ?? ''}
            disabled={isTest || isRunning}
            error={fields.find(({ path }) => path === name)?.message}
            onChange={(value) => change(name, value)}
          />
        ))}
        {!isTest && (
          <Button
            type="submit"
            variant="primary"
            size="lg"
            wide
            busy={isRunning}
            icon={<Play aria-hidden className="icon" />}
          >
            {t('try.run')}
          </Button>
        )}
      </form>
      {failure !== null && fields.length === 0 && (
        <Callout tone="danger" title={t('try.failed')}>
          {errorText(t, failure)}
        </Callout>
      )}
      {isTest ? <Examples tool={tool} /> : <ToolCard block={preview} />}
    </section>
  )
}

function emptyBlock({ id, ui_name }: Tool) {
  return {
    ...{ type: 'tool' as const, id: 'preview', tool_id: id, tool_name: ui_name, status: 'pending' as const },
    ...{ input: null, result: null, error: null, events: [] },
  }
}
