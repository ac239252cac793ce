import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import {
  AssistantFile,
  exportAssistant,
  importAssistant,
  type MissingParts,
} from '#shared/chat/assistants/transfer.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { translate, useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Button } from '../../platform/ui/button.tsx'
import { saveFile } from '../../platform/ui/files/save-file.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { noteMade } from './save.ts'

/** Maximum size of an assistant file; real ones have at most 300 kB. */
const MAX_FILE_CHARACTERS = 1_000_000

/** Saves an assistant as a file. Errors are shown. */
export async function exportToFile(assistantId: string): Promise<void> {
  try {
    const file = await call(exportAssistant, { params: { assistantId } })
    const content = new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' })
    saveFile(content, `${fileNameOf(file.name)}.atrium.json`)
  } catch {
    void toast.error(translate('assistant:transfer.export_failed'))
  }
}

function fileNameOf(name: string): string {
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return (plain.match(/[a-z0-9]+/g) ?? ['assistant']).join('-').slice(0, 80)
}

/** Result of an import: a draft with the missing parts as text, or an error. */
export type Imported = { assistantId: string; without: string } | { trouble: string }

/** Creates a draft from a chosen file. */
export function ImportButton({ onImported }: { onImported: (imported: Imported) => void }) {
  const { t } = useTranslation('assistant')
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const take = async (file: File): Promise<Imported> => {
    const body = await readFile(file)
    if (!body) return { trouble: t('transfer.no_file', { name: file.name }) }
    const { assistant, left_out } = await call(importAssistant, { body })
    noteMade(assistant)
    return { assistantId: assistant.id, without: missingInWords(left_out) }
  }
  const choose = async (target: HTMLInputElement) => {
    const [file] = target.files ?? []
    if (!file) return
    setBusy(true)
    onImported(await take(file).catch((error) => ({ trouble: errorText(t, error) })))
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
      <Button
        busy={isBusy}
        aria-label={t('transfer.import')}
        icon={<Upload aria-hidden className="icon" />}
        onClick={() => input.current?.click()}
      >
        <span className="max-md:sr-only">{t('transfer.import')}</span>
      </Button>
    </>
  )
}

async function readFile(file: File): Promise<AssistantFile | null> {
  if (file.size > MAX_FILE_CHARACTERS) return null
  try {
    return AssistantFile.safeParse(JSON.parse(await file.text())).data ?? null
  } catch {
    return null
  }
}

/** Returns the missing parts as one line; empty if there are none. */
export function missingInWords({ model, tools, documents, workspaces }: MissingParts): string {
  const names = tools.slice(0, 5).map(({ name }) => name)
  return [
    ...(model === null ? [] : [translate('assistant:transfer.model', { model })]),
    ...(tools.length === 0
      ? []
      : [translate('assistant:transfer.tools', { count: tools.length, names: names.join(', ') })]),
    ...(documents === 0 ? [] : [translate('assistant:transfer.documents', { count: documents })]),
    ...(workspaces === 0 ? [] : [translate('assistant:transfer.workspaces', { count: workspaces })]),
  ].join('; ')
}
