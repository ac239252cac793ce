import { Dialog as Base } from '@base-ui/react/dialog'
import { Play } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMedia } from '../../../platform/lib/page-state.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { contentOf, type Draft } from './draft.ts'

const loadTries = () => import('../../assistant-tries/assistant-tries.ts')
const TryPanel = lazy(() => loadTries().then((file) => ({ default: file.TryPanel })))
/** Minimum width for the form and the try side by side. */
const WIDE = '(min-width: 1280px)'

type TryProps = { assistant: Assistant | null; draft: Draft; isUnsaved: boolean }

/** The chat for trying the form, next to it if there is space. */
export function TryBeside(props: TryProps) {
  const { t } = useTranslation('assistant')
  const isWide = useMedia(WIDE)
  if (!isWide) return null
  return (
    <aside
      aria-label={t('try.title')}
      className="flex w-[400px] flex-none flex-col border-line bg-surface xl:border-l"
    >
      <Panel {...props} />
    </aside>
  )
}

/** Without the space, this button opens the chat over the form. */
export function TryButton(props: TryProps) {
  const { t } = useTranslation('assistant')
  const isWide = useMedia(WIDE)
  const [isOpen, setOpen] = useState(false)
  if (isWide) return null
  return (
    <>
      <Button size="sm" icon={<Play aria-hidden className="icon" />} onClick={() => setOpen(true)}>
        {t('try.title')}
      </Button>
      <Base.Root open={isOpen} onOpenChange={setOpen}>
        <Base.Portal>
          <Base.Backdrop className="fade-motion fixed inset-0 z-(--z-sidebar) bg-overlay" />
          <Base.Popup
            aria-label={t('try.title')}
            className="sheet-motion sheet-right fixed inset-y-0 right-0 z-(--z-sidebar) flex w-full max-w-[600px] flex-col bg-bg shadow-float outline-none"
          >
            <Panel {...props} onClose={() => setOpen(false)} />
          </Base.Popup>
        </Base.Portal>
      </Base.Root>
    </>
  )
}

function Panel({ assistant, draft, isUnsaved, onClose }: TryProps & { onClose?: () => void }) {
  const { t } = useTranslation('assistant')
  const content = contentOf(draft, t('new'))
  return (
    <Suspense fallback={null}>
      <TryPanel
        key={assistant?.id ?? 'new'}
        {...{ assistant, content, isUnsaved }}
        {...(onClose ? { onClose } : {})}
      />
    </Suspense>
  )
}

/** A try from before the first save does not belong to that assistant any more. */
export function endTryOfNew(): void {
  void loadTries().then(({ forgetTry }) => forgetTry(null))
}
