import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import {
  type AssistantContent,
  compareAssistantVersions,
  returnToAssistantVersion,
} from '#shared/chat/assistants/versions.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../../platform/i18n/i18n.ts'
import { nameOfTool } from '../../../platform/i18n/tool-words.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { modelLabel } from '../../../platform/lib/models/model-label.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { ChangedLines } from '../../versions/versions.tsx'
import { noteSaved } from '../save.ts'

type Props = { id: string; a: number; b: number; newest: number; onReturned: () => void }

/** Two versions side by side, the older one first, with a button to restore it. */
export function VersionComparison({ id, a, b, newest, onReturned }: Props) {
  const { t } = useTranslation(['assistant', 'streaming_blocks', 'tool_ui'])
  const { data, error, isError } = useQuery({
    queryKey: ['assistants', 'compare', id, a, b],
    queryFn: ({ signal }) =>
      call(compareAssistantVersions, { params: { assistantId: id }, query: { a, b }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { run, isPending } = useAction(async () => {
    try {
      noteSaved(await call(returnToAssistantVersion, { params: { assistantId: id, version: a } }))
      void toast.success(t('versions.returned', { number: a }))
      onReturned()
    } catch (reason) {
      void toast.error(errorText(t, reason))
    }
  })
  if (isError) return <Callout tone="danger">{errorText(t, error)}</Callout>
  if (!data) return <Skeletons className="grid gap-2" sizes={['h-9 w-56', 'h-32 w-full rounded-card']} />
  const settings = data.differs.filter((field) => field !== 'system_prompt')
  return (
    <section aria-label={t('versions.compared', { a, b })} className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="num text-14 font-semibold">{t('versions.compared', { a, b })}</h3>
        <span className="flex-1 text-13 text-ink-3">
          {t('versions.differences', { count: data.differs.length })}
        </span>
        {a !== newest && (
          <Button busy={isPending} icon={<Undo2 aria-hidden className="icon" />} onClick={() => void run()}>
            {t('versions.return', { number: a })}
          </Button>
        )}
      </div>
      {settings.length > 0 && (
        <div className="overflow-x-auto rounded-card border border-line">
          <table className="w-full text-left text-13">
            <thead>
              <tr className="border-b border-line text-ink-2">
                <th className="px-3.5 py-2 font-medium">{t('versions.setting')}</th>
                <th className="num px-3.5 py-2 font-medium">{t('versions.one', { number: a })}</th>
                <th className="num px-3.5 py-2 font-medium">{t('versions.one', { number: b })}</th>
              </tr>
            </thead>
            <tbody>
              {settings.map((field) => (
                <tr key={field} className="border-b border-line align-top last:border-0">
                  <th scope="row" className="px-3.5 py-2 font-regular text-ink-2">
                    {t(`versions.field.${field}`)}
                  </th>
                  <td className="px-3.5 py-2 wrap-anywhere">{inWords(data.a, field, t)}</td>
                  <td className="px-3.5 py-2 font-medium wrap-anywhere">{inWords(data.b, field, t)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data.differs.includes('system_prompt') && (
        <ChangedLines title={t('field.system_prompt')} lines={data.instructions} />
      )}
      <p className="text-12 text-ink-3">{t('versions.note')}</p>
    </section>
  )
}

function inWords(content: AssistantContent, field: keyof AssistantContent, t: TFunction): string {
  const { agent_type, model_name, temperature, tools, documents, workspaces, example_prompts, icon } = content
  switch (field) {
    case 'agent_type':
      return t(`streaming_blocks:agent.${agent_type}.name`)
    case 'model_name':
      return model_name ? modelLabel(model_name, t) : t('field.model_of_chat')
    case 'temperature':
      return temperature === null ? t('advanced.model_decides') : formatNumber(temperature)
    case 'tools':
      return tools === null
        ? t('tools.all_short')
        : tools.map((id) => nameOfTool(t, { tool_id: id, tool_name: id })).join(', ') || t('tools.none')
    case 'documents':
      return t('documents', { count: documents.length })
    case 'workspaces':
      return formatNumber(workspaces.length)
    case 'example_prompts':
      return example_prompts.join(' · ') || '–'
    case 'icon':
      return t(`icons.${icon ?? 'none'}`, { defaultValue: icon ?? '' })
    default:
      return content[field] || '–'
  }
}
