import { Eye, Play } from 'lucide-react'
import { useState } from 'react'
import { type TriedCall, tryCall } from '#shared/tools/own-tools/try-call.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { Payload } from '../card/payload.tsx'
import { readValues, startValues } from '../execution/inputs.ts'
import { ToolFields } from '../execution/tool-fields.tsx'
import { asTool, type Draft, toBody } from './draft.ts'
import type { TestResult } from './interface-section.tsx'
import { ShownRequest } from './shown-request.tsx'

type TestRunProps = { draft: Draft; toolId: string | null; onResult: (tested: TestResult) => void }

/** Makes the call with the current form values. Nothing is saved. */
export function TestRun({ draft, toolId, onResult }: TestRunProps) {
  const { t } = useTranslation('own_tools')
  const tool = asTool(draft, toolId ?? 'draft')
  const [values, setValues] = useState<Record<string, string>>({})
  const [isDry, setDry] = useState(false)
  const { run, isPending, data, error } = useAction(async () => {
    const { call: wish, auth, secrets } = toBody(draft)
    const inputs = readValues(tool, { ...startValues(tool), ...values })
    const tried = await call(tryCall, {
      body: { tool_id: toolId, call: wish, auth, ...(secrets && { secrets }), inputs, dry_run: isDry },
    })
    if (tried.answer && tried.problem === null) onResult({ inputs, result: tried.answer.seen ?? null })
    return tried
  })
  return (
    <>
      <h2 className="text-13 font-semibold">
        {t('test.title')} <span className="font-regular text-ink-3">{t('test.note')}</span>
      </h2>
      <ToolFields tool={tool} values={values} disabled={isPending} wrong={[]} onChange={setValues} />
      <div className="flex items-center gap-3">
        <Choice name={t('test.kind')}>
          <Segment isOn={!isDry} onClick={() => setDry(false)}>
            {t('test.real')}
          </Segment>
          <Segment isOn={isDry} onClick={() => setDry(true)}>
            {t('test.dry')}
          </Segment>
        </Choice>
        <Button
          className="flex-1"
          busy={isPending}
          icon={isDry ? <Eye aria-hidden className="icon-14" /> : <Play aria-hidden className="icon-14" />}
          onClick={() => void run()}
        >
          {t(isDry ? 'test.show' : 'test.run')}
        </Button>
      </div>
      {error !== null && (
        <Callout tone="danger">
          {error instanceof SyntaxError ? t('answer.no_json') : errorText(t, error)}
        </Callout>
      )}
      {data && <Tried tried={data} />}
    </>
  )
}

type Part = 'seen' | 'raw' | 'request'

function Tried({ tried: { request, answer, problem } }: { tried: TriedCall }) {
  const { t } = useTranslation('own_tools')
  const [chosen, setChosen] = useState<Part | null>(null)
  const parts: Part[] = [
    ...(answer && problem === null ? (['seen'] as const) : []),
    ...(answer ? (['raw'] as const) : []),
    'request',
  ]
  const part = parts.find((one) => one === chosen) ?? parts[0]
  return (
    <div role="status" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {answer && (
        <p className="flex flex-wrap items-center gap-2 text-12 text-ink-2">
          <Badge tone={answer.status < 400 ? 'success' : 'danger'}>{answer.status}</Badge>
          {t('test.took', { ms: formatNumber(answer.ms), bytes: formatNumber(answer.bytes) })}
        </p>
      )}
      {problem !== null && <Callout tone="danger">{problem}</Callout>}
      <Choice name={t('test.parts')}>
        {parts.map((one) => (
          <Segment key={one} isOn={one === part} onClick={() => setChosen(one)}>
            {t(`test.${one}`)}
          </Segment>
        ))}
      </Choice>
      {part === 'seen' && <Payload value={answer?.seen ?? null} />}
      {part === 'raw' && <Payload value={answer?.raw ?? ''} />}
      {part === 'request' && <ShownRequest request={request} />}
    </div>
  )
}
