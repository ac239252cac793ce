import { CodeXml, Terminal } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { PhaseTrack } from '../../web/platform/citations/citations.ts'
import {
  type CardBodyProps,
  type TFunction,
  type ToolCardParts,
  useTranslation,
} from '../../web/platform/ui/card-parts.ts'
import { CopyButton } from '../../web/platform/ui/copy-button.tsx'
import { Tabs } from '../../web/platform/ui/tabs.tsx'
import { Code, Flow, Printed } from './flow.tsx'
import { Intents } from './intents.tsx'
import { MadeFiles, MadeImage } from './made.tsx'
import { type CodeWork, codePhases, nameOfEntry, readWork } from './read-work.ts'

const card: ToolCardParts = {
  ...{ Icon: CodeXml, summarise: (input) => wishOf(textOf(input, 'request')), Body: Work },
  Empty: () => <Ready isPreview={false} />,
  failure: (t) => t('code_interpreter.failed'),
  hasFailed: (result) => readWork([], result).error !== null,
}

export default card

function Work({ status, input, result, events }: CardBodyProps) {
  const isRunning = status === 'running'
  const work = useMemo(() => readWork(events, status === 'done' ? result : null), [status, result, events])
  const { plan, uploaded } = work
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <Intents
        request={textOf(input, 'request')}
        context={textOf(input, 'context')}
        files={uploaded ?? []}
        {...{ isRunning, hasPlan: plan !== null }}
      />
      {status === 'input' && <Ready isPreview />}
      {isRunning && <Running work={work} />}
      {status === 'done' && <Done work={work} />}
    </div>
  )
}

const textOf = (input: unknown, name: string): string => {
  const value = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[name] : null
  return typeof value === 'string' ? value : ''
}

/** Returns the request in one line: the text before the program, or the program's beginning. */
function wishOf(request: string): string {
  const [words = ''] = request.split(/^ {0,3}`{3,}/m)
  return words.trim() || request.replaceAll(/^ {0,3}`{3,}.*$/gm, '').trim()
}

/** Shown before anything has happened. */
function Ready({ isPreview }: { isPreview: boolean }) {
  const { t } = useTranslation('tool_ui')
  return (
    <p className="flex items-center gap-2 text-13 text-ink-2">
      <Terminal aria-hidden className="icon text-ink-3" />
      {t(isPreview ? 'code_interpreter.ready_to_execute' : 'code_interpreter.ready_to_code')}
    </p>
  )
}

function Running({ work }: { work: CodeWork }) {
  const { t } = useTranslation('tool_ui')
  const { plan, rounds, artifacts, files, message } = work
  const now = rounds.findLast((round) => round.status === 'running')
  const headline = message !== '' ? t('code_interpreter.finalizing') : (now?.step ?? phaseInWords(work, t))
  return (
    <>
      <p role="status" className="text-14 font-medium">
        {headline}
      </p>
      <PhaseTrack phases={tracked(work, t)} />
      <Flow {...{ plan, rounds }} />
      {artifacts.map((entry) => (
        <MadeImage key={nameOfEntry(entry)} entry={entry} />
      ))}
      {files.length > 0 && <MadeFiles files={files} />}
    </>
  )
}

function Done({ work }: { work: CodeWork }) {
  const { t } = useTranslation('tool_ui')
  const [tab, setTab] = useState('output')
  const { artifacts, files, rounds, plan, logs, error } = work
  const succeeded = rounds.filter(({ status }) => status === 'success').length
  const last = rounds.at(-1)
  return (
    <>
      {rounds.length > 0 && (
        <p className="num text-12 text-ink-2">
          {t('code_interpreter.succeeded', { count: rounds.length, succeeded })}
        </p>
      )}
      <PhaseTrack phases={tracked(work, t)} />
      {error !== null && <p className="text-13 text-danger">{error}</p>}
      <Tabs
        name={t('code_interpreter.name')}
        value={tab}
        onValueChange={setTab}
        tabs={[
          {
            ...{ value: 'output', label: t('code_interpreter.output') },
            ...(artifacts.length + files.length > 0 ? { count: artifacts.length + files.length } : {}),
            content: (
              <Panel>
                {artifacts.map((entry) => (
                  <MadeImage key={nameOfEntry(entry)} entry={entry} />
                ))}
                {files.length > 0 && <MadeFiles files={files} />}
                <Output text={last?.output ?? ''} />
              </Panel>
            ),
          },
          {
            ...{ value: 'code', label: t('code_interpreter.code') },
            content: <Panel>{last ? <Code {...last} /> : <Nothing />}</Panel>,
          },
          {
            ...{ value: 'details', label: t('code_interpreter.details'), count: rounds.length },
            content: (
              <Panel>
                <Flow {...{ plan, rounds }} />
                <Logs text={logs} />
              </Panel>
            ),
          },
        ]}
      />
    </>
  )
}

const Panel = ({ children }: { children: ReactNode }) => (
  <div className="grid min-w-0 grid-cols-1 gap-3 pt-3">{children}</div>
)

function Nothing() {
  const { t } = useTranslation('tool_ui')
  return <p className="text-13 text-ink-2">{t('code_interpreter.nothing')}</p>
}

function Output({ text }: { text: string }) {
  const { t } = useTranslation('tool_ui')
  if (text === '') return <Nothing />
  return (
    <section className="grid grid-cols-1 gap-1.5">
      <h4 className="flex items-center justify-between text-13 font-medium">
        {t('code_interpreter.final_output')}
        <CopyButton name={t('code_interpreter.copy_output')} size="sm" read={() => text} />
      </h4>
      <Printed text={text} className="max-h-[300px]" />
    </section>
  )
}

function Logs({ text }: { text: string }) {
  const { t } = useTranslation('tool_ui')
  if (text === '') return null
  return (
    <details className="min-w-0">
      <summary className="cursor-pointer text-13 font-medium">{t('code_interpreter.logs')}</summary>
      <div className="relative mt-1.5">
        <CopyButton
          name={t('code_interpreter.copy_logs')}
          size="sm"
          className="absolute top-1 right-1"
          read={() => text}
        />
        <Printed text={text} className="max-h-[400px]" />
      </div>
    </details>
  )
}

function tracked({ phases, uploaded }: CodeWork, t: TFunction) {
  const upload =
    phases.DOCUMENT_UPLOAD !== 'completed' || uploaded === null
      ? undefined
      : uploaded.length === 0
        ? t('code_interpreter.skipped')
        : t('code_interpreter.files', { count: uploaded.length })
  return codePhases.map((id) => ({
    ...{ id, name: t(`code_interpreter.phase.${id}`), status: phases[id] },
    note: id === 'DOCUMENT_UPLOAD' ? upload : undefined,
  }))
}

function phaseInWords({ phases }: CodeWork, t: TFunction): string {
  const now = codePhases.findLast((phase) => phases[phase] !== 'pending') ?? 'SANDBOX_INIT'
  return t(`code_interpreter.doing.${now}`)
}
