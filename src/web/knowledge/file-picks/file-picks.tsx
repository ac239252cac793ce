import { lazy, Suspense, useEffect, useState } from 'react'
import { loadTexts } from '../../platform/i18n/i18n.ts'
import { takeLeftPick } from './pick-left.ts'

const PickerDialog = lazy(async () => {
  const [{ PickerDialog: dialog }] = await Promise.all([
    import('./picker-dialog.tsx'),
    loadTexts('file_picks', 'connectors'),
  ])
  return { default: dialog }
})

type Props = { sessionId: string; isOpen: boolean; onOpen: (isOpen: boolean) => void }

/** The dialog that adds files of a source to a chat. After a sign-in on the page of a source it opens again. */
export function FilePicker({ sessionId, isOpen, onOpen }: Props) {
  const [left, setLeft] = useState<string | null>(null)
  useEffect(() => {
    const id = takeLeftPick(sessionId)
    if (!id) return
    setLeft(id)
    onOpen(true)
  }, [sessionId, onOpen])
  if (!isOpen) return null
  const close = () => {
    setLeft(null)
    onOpen(false)
  }
  return (
    <Suspense fallback={null}>
      <PickerDialog key={left} sessionId={sessionId} left={left} onClose={close} />
    </Suspense>
  )
}
