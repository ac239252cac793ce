import { Bot, ChevronDown } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Popover } from '../../platform/ui/overlays/popover.tsx'
import { loadAssistants, useAssistant } from './chat/use-assistant.ts'

const OwnExamples = lazy(async () => ({ default: (await loadAssistants()).AssistantExamples }))
const AssistantChoice = lazy(async () => ({ default: (await loadAssistants()).AssistantChoice }))

type AssistantExamplesProps = {
  id: string | undefined
  onChoose: (text: string) => void
  /** Shown without an assistant, or if it has no examples. */
  children: ReactNode
}

/** Starters of a chat with an assistant. */
export function AssistantExamples({ id, onChoose, children }: AssistantExamplesProps) {
  if (!id) return children
  return (
    <Suspense>
      <OwnExamples id={id} onChoose={onChoose}>
        {children}
      </OwnExamples>
    </Suspense>
  )
}

/** Selects the author of the next replies; on phones this is in the context. */
export function AssistantPicker({ session }: { session: Session | null }) {
  const { t } = useTranslation('streaming_blocks')
  const [isOpen, setOpen] = useState(false)
  const assistant = useAssistant(session)
  const mayChoose = useIsOpen('assistant_picker')
  if (!session || !mayChoose) return null
  return (
    <Popover
      name={t('assistant.choose')}
      side="top"
      open={isOpen}
      onOpenChange={setOpen}
      className="w-[360px] !p-0"
      trigger={
        <Button
          variant="ghost"
          aria-label={t('assistant.button', { assistant: assistant?.name ?? t('assistant.none') })}
          className="min-w-0 max-w-48 shrink-3 max-md:hidden"
          icon={<Bot aria-hidden className="icon" />}
        >
          {assistant && <span className="truncate">{assistant.name}</span>}
          <ChevronDown aria-hidden className="icon-14" />
        </Button>
      }
    >
      <Suspense fallback={<p className="p-4 text-13 text-ink-2">{t('assistant.loading')}</p>}>
        <AssistantChoice
          sessionId={session.id}
          currentId={session.session_metadata.assistant_id ?? null}
          takesFocus
          onChosen={() => setOpen(false)}
        />
      </Suspense>
    </Popover>
  )
}
