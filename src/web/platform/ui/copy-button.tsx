import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from '../i18n/i18n.ts'
import { copyText } from '../lib/clipboard.ts'
import { IconButton, type IconButtonProps } from './icon-button.tsx'

const shownMs = 2000

type CopyButtonProps = Omit<IconButtonProps, 'children' | 'onClick'> & {
  /** Computed only on click. */
  read: () => string
  /** Called with whether the text is on the clipboard. */
  onCopied?: (done: boolean) => void
}

/** Copies a text and says so for 2 s; the name changes too, so that screen readers announce it. */
export function CopyButton({ read, name, onCopied, ...rest }: CopyButtonProps) {
  const { t } = useTranslation('common')
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => setDone(false), shownMs)
    return () => clearTimeout(timer)
  }, [isDone])
  const copy = async () => {
    const done = await copyText(read())
    setDone(done)
    onCopied?.(done)
  }
  return (
    <IconButton {...rest} name={isDone ? t('copied') : name} onClick={() => void copy()}>
      {isDone ? <Check aria-hidden className="icon text-success" /> : <Copy aria-hidden className="icon" />}
    </IconButton>
  )
}
