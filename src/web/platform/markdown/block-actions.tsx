import { lazy, Suspense } from 'react'
import { useTranslation } from '../i18n/i18n.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { toast } from '../ui/toasts/toasts.ts'
import type { BlockActionsProps } from './block-extras.tsx'

const Extras = lazy(() => import('./block-extras.tsx'))

/** Actions of a block: save, open in full window, copy. The buttons are always visible. */
export function BlockActions(props: BlockActionsProps) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <>
      <Suspense>
        <Extras {...props} />
      </Suspense>
      <CopyButton
        name={t(`markdown.copy_${props.block.type}`)}
        size="sm"
        read={props.read}
        onCopied={(done) =>
          void toast[done ? 'success' : 'error'](t(done ? 'markdown.copied' : 'markdown.copy_failed'))
        }
      />
    </>
  )
}
