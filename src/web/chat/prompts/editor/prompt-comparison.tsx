import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { comparePromptVersions, restorePromptVersion } from '#shared/chat/prompts/prompt-versions.ts'
import type { PromptContent } from '#shared/chat/prompts/prompts.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
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
import { noteSaved } from '../prompt-actions.ts'
import { promptsKey } from '../use-prompts.ts'

type Props = { id: string; a: number; b: number; newest: number; onRestored: () => void }

/** Two versions, the older one first, with a button that restores it. */
export function VersionComparison({ id, a, b, newest, onRestored }: Props) {
  const { t } = useTranslation(['prompts', 'tool_ui'])
  const { data, error } = useQuery({
    queryKey: [...promptsKey, 'compare', id, a, b],
    queryFn: ({ signal }) =>
      call(comparePromptVersions, { params: { promptId: id }, query: { a, b }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { run, isPending } = useAction(async () => {
    try {
      noteSaved(await call(restorePromptVersion, { params: { promptId: id, version: a } }))
      void toast.success(t('versions.restored', { number: a }))
      onRestored()
    } catch (reason) {
      void toast.error(errorText(t, reason))
    }
  })
  if (error) return <Callout tone="danger">{errorText(t, error)}</Callout>
  if (!data) return <Skeletons className="grid gap-2" sizes={['h-9 w-56', 'h-32 w-full rounded-card']} />
  const settings = data.differs.filter((field) => field !== 'text')
  return (
    <section aria-label={t('versions.compared', { a, b })} className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="num text-14 font-semibold">{t('versions.compared', { a, b })}</h2>
        <span className="flex-1 text-13 text-ink-3">
          {t('versions.differences', { count: data.differs.length })}
        </span>
        {a !== newest && (
          <Button busy={isPending} icon={<Undo2 aria-hidden className="icon" />} onClick={() => void run()}>
            {t('versions.restore', { number: a })}
          </Button>
        )}
      </div>
      {settings.length > 0 && (
        <dl className="grid gap-3 rounded-card border border-line px-3.5 py-3 text-13">
          {settings.map((field) => (
            <div key={field}>
              <dt className="text-ink-2">{t(`versions.field.${field}`)}</dt>
              <dd className="wrap-anywhere text-ink-2 line-through">{inWords(data.a, field, t)}</dd>
              <dd className="font-medium wrap-anywhere">{inWords(data.b, field, t)}</dd>
            </div>
          ))}
        </dl>
      )}
      {data.differs.includes('text') && <ChangedLines title={t('field.text')} lines={data.text} />}
    </section>
  )
}

function inWords(content: PromptContent, field: keyof PromptContent, t: TFunction): string {
  switch (field) {
    case 'fields':
      return content.fields.map((one) => fieldInWords(one, t)).join('; ') || '–'
    case 'tools':
      if (content.tools === null) return t('start.usual_tools')
      return content.tools.map((id) => nameOfTool(t, { tool_id: id, tool_name: id })).join(', ') || '–'
    case 'documents':
      return t('start.document_count', { count: content.documents.length })
    case 'model_name':
      return content.model_name ? modelLabel(content.model_name, t) : t('start.any')
    case 'assistant_id':
      return content.assistant_id ?? t('start.any')
    default:
      return content[field]
  }
}

function fieldInWords(
  { name, label, type, required, options, value }: PromptContent['fields'][number],
  t: TFunction,
) {
  const facts = [label, t(`types.${type}`), options?.join(' / '), value, required && t('field.required')]
  return `${name} (${facts.filter(Boolean).join(', ')})`
}
