import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, Copy } from 'lucide-react'
import type { Prompt } from '#shared/chat/prompts/prompts.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { View } from '../../../platform/ui/view.tsx'
import { duplicate } from '../prompt-actions.ts'
import { TryPrompt } from './try-prompt.tsx'

/** A prompt that the person may use and duplicate, but not change. */
export function SharedPrompt({ prompt }: { prompt: Prompt }) {
  const { t } = useTranslation('prompts')
  const navigate = useNavigate()
  const { run, isPending } = useAction(async () => {
    try {
      const { id } = await duplicate(prompt.id)
      await navigate({ to: '/prompts/$promptId', params: { promptId: id } })
    } catch (error) {
      void toast.error(errorText(t, error))
    }
  })
  return (
    <View
      title={prompt.name}
      actions={
        <Button busy={isPending} icon={<Copy aria-hidden className="icon" />} onClick={() => void run()}>
          {t('duplicate')}
        </Button>
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[560px] gap-4 px-6 pb-16 max-md:px-4">
          <Link
            to="/prompts"
            className="inline-flex h-11 items-center gap-1.5 text-13 text-ink-2 hover:text-ink"
          >
            <ArrowLeft aria-hidden className="icon-14" />
            {t('back')}
          </Link>
          <p className="text-13 text-ink-2">
            <span className="font-mono">/{prompt.command}</span>
            {prompt.shared_by && ` · ${t('shared_by', { name: prompt.shared_by })}`}
          </p>
          <TryPrompt prompt={prompt} content={prompt} isUsable />
        </div>
      </div>
    </View>
  )
}
