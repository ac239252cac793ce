import { MessageSquare } from 'lucide-react'
import type { NewPrompt, Prompt } from '#shared/chat/prompts/prompts.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { useBuiltInValues } from '../fill/built-in-values.ts'
import { type BuiltInValues, fieldsToFill } from '../fill/fill-prompt.ts'
import { PromptFields, PromptPreview } from '../fill/prompt-fields.tsx'
import { usePromptDraft } from '../fill/use-prompt-draft.ts'
import { useStartWithPrompt } from '../start-with-prompt.ts'

type TryPromptProps = { prompt: Prompt | null; content: NewPrompt; isUsable: boolean }

/** The form of a prompt as it opens in a chat, and the message it makes. */
export function TryPrompt({ prompt, content, isUsable }: TryPromptProps) {
  const { t } = useTranslation('prompts')
  const builtIn = useBuiltInValues({ sessionId: null, selected_text: '', last_reply: '' })
  const { start, isStarting } = useStartWithPrompt()
  return (
    <div className="grid gap-4">
      <h2 className="text-13 font-medium">{t('try.title')}</h2>
      {builtIn && <Trial key={JSON.stringify(content.fields)} {...{ content, builtIn }} />}
      {prompt && (
        <Button
          wide
          busy={isStarting}
          disabled={!isUsable}
          icon={<MessageSquare aria-hidden className="icon" />}
          onClick={() => start(prompt.id)}
        >
          {t('use')}
        </Button>
      )}
    </div>
  )
}

function Trial({ content, builtIn }: { content: NewPrompt; builtIn: BuiltInValues }) {
  const { t } = useTranslation('prompts')
  const fields = fieldsToFill(content, builtIn, (name) => t(`built_in.${name}`))
  const promptDraft = usePromptDraft(fields)
  return (
    <>
      <PromptFields {...{ fields, promptDraft }} isChecked={false} />
      <div className="rounded-card border border-line bg-bg px-4 py-3">
        {content.text ? (
          <PromptPreview text={content.text} {...{ fields, promptDraft, builtIn }} />
        ) : (
          <p className="text-13 text-ink-3">{t('try.empty')}</p>
        )}
      </div>
    </>
  )
}
