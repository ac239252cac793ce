import { Share2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { loadTexts, useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import type { ShareDialogProps } from './share-dialog.tsx'

const Dialog = lazy(async () => {
  const [file] = await Promise.all([import('./share-dialog.tsx'), loadTexts('sharing')])
  return file
})

/** The dialog that shares an assistant, a prompt, a tool or an MCP server, loaded when it first opens. */
export function ShareDialog(props: ShareDialogProps) {
  return (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  )
}

export { RecipientRow } from './recipient-row.tsx'
export { RecipientSearch } from './recipient-search.tsx'

type ShareButtonProps = {
  /** True in the top bar, which has no room for its text on a phone. */
  isInBar?: boolean
  children: (onClose: () => void) => ReactNode
}

/** A button that opens a share dialog. */
export function ShareButton({ isInBar = false, children }: ShareButtonProps) {
  const { t } = useTranslation('common')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={<Share2 aria-hidden className="icon" />} onClick={() => setOpen(true)}>
        <span className={isInBar ? 'max-md:sr-only' : undefined}>{t('actions.share')}</span>
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  )
}
