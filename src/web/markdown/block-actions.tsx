import { lazy, Suspense } from 'react'
import { useTranslation } from '../i18n/i18n.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import type { BlockActionsProps } from './block-extras.tsx'

const Extras = lazy(() => import('./block-extras.tsx'))

/** What can be done with a block: saved, opened as large as the window, copied. The buttons are always there. */
export function BlockActions(props: BlockActionsProps) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <>
      <Suspense>
        <Extras {...props} />
      </Suspense>
      <CopyButton name={t(`markdown.copy_${props.block.type}`)} size="sm" read={props.read} />
    </>
  )
}
