import { useNavigate } from '@tanstack/react-router'
import { FileJson } from 'lucide-react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { type ApiDescription, readDescription } from '#shared/tools/own-tools/openapi.ts'
import { importTools, ToolFile } from '#shared/tools/own-tools/tool-file.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { call } from '../../../../platform/lib/api/call.ts'
import { useAction } from '../../../../platform/lib/use-action.ts'
import { Button, buttonLook } from '../../../../platform/ui/button.tsx'
import { Callout } from '../../../../platform/ui/callout.tsx'
import { Field } from '../../../../platform/ui/field.tsx'
import { Input } from '../../../../platform/ui/input.tsx'
import { toast } from '../../../../platform/ui/toasts/toasts.ts'
import { toolFailure } from '../../look/tool-failure.ts'
import { refreshList } from '../save.ts'

/** Source of an API description. */
export type Where = { text?: string; address?: string }

type ChooseProps = { address: string; onRead: (where: Where, description: ApiDescription) => void }

/** Accepts a description as a file, text or address. A tool file is imported immediately. */
export function ChooseDescription({ address, onRead }: ChooseProps) {
  const { t } = useTranslation('own_tools')
  const navigate = useNavigate()
  const id = useId()
  const [typed, setTyped] = useState(address)
  // Not rendered: input for the next read.
  const wish = useRef<Where>({})
  const { run, isPending, error } = useAction(async () => {
    const where = wish.current
    const file = where.text === undefined ? null : readToolFile(where.text)
    if (!file) return onRead(where, await call(readDescription, { body: where }))
    const made = await call(importTools, { body: file })
    void toast.success(t('file.imported', { count: made.length }))
    await refreshList()
    await navigate({ to: '/tools' })
  })
  const start = (where: Where) => {
    wish.current = where
    void run()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const text = typed.trim()
    if (text !== '') start(/^https?:\/\/\S+$/.test(text) ? { address: text } : { text })
  }
  return (
    <form onSubmit={onSubmit} className="grid gap-3">
      <Field label={t('openapi.where')} hint={t('openapi.where_hint')}>
        <Input
          value={typed}
          spellCheck={false}
          autoCapitalize="off"
          placeholder="https://"
          className="font-mono"
          onChange={({ target }) => setTyped(target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={isPending} disabled={typed.trim() === ''}>
          {t('openapi.read')}
        </Button>
        <label htmlFor={id} className={buttonLook()}>
          <FileJson aria-hidden className="icon-14" />
          {t('openapi.file')}
          <input
            id={id}
            type="file"
            accept=".json,.yaml,.yml"
            className="sr-only"
            onChange={({ target }) => {
              const [file] = target.files ?? []
              target.value = ''
              if (file) void file.text().then((text) => start({ text }))
            }}
          />
        </label>
      </div>
      {error !== null && <Callout tone="danger">{toolFailure(t, error)}</Callout>}
    </form>
  )
}

/** Parses a tool file; returns null for any other text. */
function readToolFile(text: string): ToolFile | null {
  if (!text.includes('"atrium-tools"')) return null
  try {
    const parsed = ToolFile.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
