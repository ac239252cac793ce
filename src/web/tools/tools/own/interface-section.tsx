import { ShieldCheck } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { ModuleUi } from '#shared/tools/tool-interfaces/tool-interfaces.ts'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { type TFunction, useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Textarea } from '../../../platform/ui/input.tsx'
import { CallableTools } from './callable-tools.tsx'
import { InterfaceSource } from './interface-source.tsx'
import { isComplete, startWish, toUi, type Wish } from './interface-wish.ts'
import { setUi } from './save.ts'

const RemoteBody = lazy(() => import('../remote/remote-body.tsx'))

/** Latest test result and the inputs of that test. */
export type TestResult = { inputs: Record<string, unknown>; result: unknown }

type InterfaceSectionProps = { tool: Tool; tested: TestResult | null }

/** Interface that shows a tool's results: the source of its module, its allowed addresses and tools. Approval takes effect immediately. */
export function InterfaceSection({ tool, tested }: InterfaceSectionProps) {
  const { t } = useTranslation('own_tools')
  const ui = moduleOf(tool)
  const [wish, setWish] = useState(() => startWish(ui))
  const change = (patch: Partial<Wish>) => setWish((before) => ({ ...before, ...patch }))
  const approve = useAction(
    () => setUi(tool.id, toUi(wish)),
    (approved) => setWish(startWish(approved)),
  )
  const remove = useAction(
    () => setUi(tool.id, null),
    () => setWish(startWish(null)),
  )
  const problem = approve.error ?? remove.error
  return (
    <>
      <p className="text-13 text-ink-2">{t('interface.note')}</p>
      <InterfaceSource {...{ wish, change }} approved={ui} />
      <Field label={t('interface.connect')} optional hint={t('interface.connect_hint')}>
        <Textarea
          value={wish.connect}
          maxLength={2_100}
          spellCheck={false}
          className="font-mono"
          placeholder="https://"
          onChange={({ target }) => change({ connect: target.value })}
        />
      </Field>
      <CallableTools own={tool.id} value={wish.calls} onChange={(calls) => change({ calls })} />
      {problem !== null && (
        <Callout tone="danger" title={t('interface.failed')}>
          {whyNot(t, problem)}
        </Callout>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          busy={approve.isPending}
          disabled={!isComplete(wish) || remove.isPending}
          icon={<ShieldCheck aria-hidden className="icon" />}
          onClick={() => void approve.run()}
        >
          {t(ui ? 'interface.approve_again' : 'interface.approve')}
        </Button>
        {ui && (
          <Button
            variant="danger-ghost"
            busy={remove.isPending}
            disabled={approve.isPending}
            onClick={() => void remove.run()}
          >
            {t('interface.remove')}
          </Button>
        )}
      </div>
      {ui && <Preview key={ui.sri} tool={tool} tested={tested} />}
    </>
  )
}

/** Preview of the approved interface with the test result. */
function Preview({ tool, tested }: InterfaceSectionProps) {
  const { t } = useTranslation('own_tools')
  return (
    <section aria-label={t('interface.preview')} className="grid gap-2">
      <h2 className="text-13 font-medium">{t('interface.preview')}</h2>
      {tested ? (
        <Suspense fallback={null}>
          <RemoteBody
            tool={tool}
            block={{
              ...{ type: 'tool', id: 'preview', tool_id: tool.id, tool_name: tool.name },
              ...{
                status: 'complete',
                error: null,
                events: [],
                input: tested.inputs,
                result: tested.result,
              },
            }}
            facts={{ isLoading: false, error: null, input: tested.inputs, result: tested.result }}
          >
            {null}
          </RemoteBody>
        </Suspense>
      ) : (
        <p className="text-13 text-ink-3">{t('interface.no_result')}</p>
      )}
    </section>
  )
}

/** Returns the interface added by the owner; null for a built-in one. */
function moduleOf({ ui_location: ui }: Tool): ModuleUi | null {
  return ui?.kind === 'remote' || ui?.kind === 'uploaded' ? ui : null
}

/** Returns a translated reason for an invalid field, or the server's message. */
function whyNot(t: TFunction, error: unknown): string {
  const { path = '', message = '' } = (isApiError(error) ? error.fields[0] : undefined) ?? {}
  if (path === 'ui.file')
    return [
      t('own_tools:interface.wrong_file'),
      ...(message ? [t('own_tools:interface.line', { message })] : []),
    ].join(' ')
  if (path.startsWith('ui.sri')) return t('own_tools:interface.wrong_hash')
  if (path.startsWith('ui.connect')) return t('own_tools:interface.wrong_origins')
  return errorText(t, error)
}
