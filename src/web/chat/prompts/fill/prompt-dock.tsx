import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Prompt } from '#shared/chat/prompts/prompts.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isComposing } from '../../../platform/lib/enter-key.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { checkDraft, isFilled } from '../../../runs/input-requests/input-requests.tsx'
import { usePrompt } from '../use-prompts.ts'
import { useBuiltInValues } from './built-in-values.ts'
import { type BuiltInValues, fieldsToFill, textOf } from './fill-prompt.ts'
import { PromptFields, PromptPreview } from './prompt-fields.tsx'
import { preparePrompt } from './start-prompt.ts'
import { usePromptDraft } from './use-prompt-draft.ts'

type Place = {
  sessionId: string | null
  isNew: boolean
  onClose: () => void
  onInsert: (text: string) => void
}
type PromptDockProps = Place & {
  promptId: string
  readSelection: () => string
  readLastReply: () => string
}

/** The form of a prompt above the composer. */
export function PromptDock({ promptId, readSelection, readLastReply, ...place }: PromptDockProps) {
  const { t } = useTranslation('prompts')
  const { data: prompt, error } = usePrompt(promptId)
  const [parts] = useState(() => ({ selected_text: readSelection(), last_reply: readLastReply() }))
  const builtIn = useBuiltInValues({ sessionId: place.sessionId, ...parts })
  if (error || prompt === null)
    return (
      <Callout
        tone="danger"
        className="mb-3"
        action={
          <Button size="sm" onClick={place.onClose}>
            {t('common:actions.close')}
          </Button>
        }
      >
        {prompt === null ? t('gone') : errorText(t, error)}
      </Callout>
    )
  if (!prompt || !builtIn) return null
  return <PromptForm key={prompt.version} {...{ prompt, builtIn }} {...place} />
}

function PromptForm({
  prompt,
  builtIn,
  sessionId,
  isNew,
  onClose,
  onInsert,
}: Place & { prompt: Prompt; builtIn: BuiltInValues }) {
  const { t } = useTranslation('prompts')
  const fields = fieldsToFill(prompt, builtIn, (name) => t(`built_in.${name}`))
  const promptDraft = usePromptDraft(fields)
  const { draft } = promptDraft.control
  const [isChecked, setChecked] = useState(false)
  const { documents, files } = promptDraft
  const { run, isPending, error } = useAction(
    async () => {
      if (sessionId) await preparePrompt({ prompt, sessionId, isNew, documents, files })
    },
    () => onInsert(textOf(prompt, fields, draft, builtIn)),
  )
  const isComplete = checkDraft(fields, draft).problems.size === 0
  const insert = () => {
    setChecked(true)
    if (isComplete && sessionId) void run()
  }
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const first =
      form.current?.querySelector<HTMLElement>('input, textarea, select') ??
      form.current?.querySelector<HTMLElement>('button[type="submit"]')
    first?.focus({ preventScroll: true })
  }, [])
  const filled = fields.filter(({ name }) => isFilled(draft[name])).length
  return (
    <form
      ref={form}
      noValidate
      data-prompt-dock
      aria-label={prompt.name}
      className="mb-3 flex max-h-[min(60dvh,600px)] flex-col overflow-hidden rounded-card border border-line-2 bg-bg max-md:max-h-[56dvh]"
      onSubmit={(event) => {
        event.preventDefault()
        insert()
      }}
      onKeyDown={(event) => {
        // Escape and Enter also end a word of an input method.
        if (isComposing(event)) return
        if (event.key === 'Escape') onClose()
        else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) insert()
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <div className="flex h-11 flex-none items-center gap-2.5 border-b border-line pr-2 pl-4">
        <span className="truncate text-14 font-medium">{prompt.name}</span>
        <span className="truncate font-mono text-13 text-ink-3 max-md:hidden">/{prompt.command}</span>
        <span className="flex-1" />
        {fields.length > 0 && (
          <span className="num flex-none text-12 text-ink-3">
            {t('fill.count', { filled, count: fields.length })}
          </span>
        )}
        <IconButton name={t('common:actions.close')} size="sm" onClick={onClose}>
          <X aria-hidden className="icon" />
        </IconButton>
      </div>
      <div className="min-h-0 overflow-y-auto">
        {fields.length > 0 && (
          <PromptFields {...{ fields, promptDraft, isChecked }} className="p-4 md:grid-cols-2" />
        )}
        <div className="border-t border-line bg-surface px-4 py-3 first:border-t-0">
          <PromptPreview text={prompt.text} {...{ fields, promptDraft, builtIn }} />
        </div>
        {error !== null && (
          <Callout tone="danger" className="m-4">
            {errorText(t, error)}
          </Callout>
        )}
      </div>
      <div className="flex flex-none items-center justify-end gap-2 border-t border-line px-4 py-3 max-md:py-2.5 max-md:[&>button]:flex-1">
        <span className="flex-1 text-12 text-ink-3 max-md:hidden">{t('fill.note')}</span>
        <Button variant="ghost" onClick={onClose}>
          {t('common:actions.cancel')}
        </Button>
        <Button type="submit" variant="primary" busy={isPending} disabled={sessionId === null}>
          {t('fill.insert')}
        </Button>
      </div>
    </form>
  )
}
