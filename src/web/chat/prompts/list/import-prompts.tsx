import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { importFile } from '../prompt-actions.ts'

export type ImportResult = Awaited<ReturnType<typeof importFile>>

/** Imports the prompts of a chosen file. */
export function ImportPrompts({ onDone }: { onDone: (result: ImportResult) => void }) {
  const { t } = useTranslation('prompts')
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const choose = async (target: HTMLInputElement) => {
    const [file] = target.files ?? []
    if (!file) return
    setBusy(true)
    onDone(await importFile(t, file))
    setBusy(false)
    // Allows choosing the same file again.
    target.value = ''
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label={t('transfer.file')}
        onChange={({ target }) => void choose(target)}
      />
      <IconButton name={t('transfer.import')} disabled={isBusy} onClick={() => input.current?.click()}>
        <Upload aria-hidden className="icon" />
      </IconButton>
    </>
  )
}
