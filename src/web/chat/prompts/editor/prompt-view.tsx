import { Link, useLocation, useParams } from '@tanstack/react-router'
import { BookMarked } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { buttonLook } from '../../../platform/ui/button.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { View } from '../../../platform/ui/view.tsx'
import { usePrompt } from '../use-prompts.ts'
import { PromptEditor } from './prompt-editor.tsx'
import { SharedPrompt } from './shared-prompt.tsx'

/** The form of a new prompt, which may begin with a message or a name. */
export function CreatePromptView() {
  const { state } = useLocation()
  const [beginnings] = useState(() => ({
    ...(state.promptText !== undefined && { text: state.promptText }),
    ...(state.promptName !== undefined && { name: state.promptName }),
  }))
  return <PromptEditor prompt={null} beginnings={beginnings} />
}

/** One prompt: its form, or for people who may only use it, what it is. */
export function PromptView() {
  const { t } = useTranslation('prompts')
  const { promptId = '' } = useParams({ strict: false }) as { promptId?: string }
  const { data: prompt, error } = usePrompt(promptId)
  if (prompt)
    return prompt.can_edit ? (
      <PromptEditor key={prompt.id} prompt={prompt} />
    ) : (
      <SharedPrompt prompt={prompt} />
    )
  if (prompt === undefined && !error)
    return (
      <View title={t('title')}>
        <Skeletons
          className="mx-auto grid w-full max-w-[688px] gap-4 px-6 py-6"
          sizes={['h-10 w-72', 'h-8 w-full', 'h-40 w-full rounded-card']}
        />
      </View>
    )
  return (
    <View title={t('title')}>
      <EmptyState
        page
        icon={<BookMarked aria-hidden />}
        title={t('gone')}
        action={
          <Link to="/prompts" className={buttonLook()}>
            {t('back')}
          </Link>
        }
      >
        {prompt === null || isApiError(error, 403) ? t('gone_text') : errorText(t, error)}
      </EmptyState>
    </View>
  )
}
