import { type FormEvent, useState } from 'react'
import { fillServerPrompt, type McpServer, type ServerPrompt } from '#shared/tools/own-tools/mcp-servers.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { CopyButton } from '../../platform/ui/copy-button.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'

/** Prompts of a server. Each is filled in with inputs and can be copied into a chat. */
export function ServerPrompts({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  if (server.prompts.length === 0) return <p className="text-13 text-ink-2">{t('servers.no_prompts')}</p>
  return (
    <section aria-label={t('servers.prompts')}>
      <ul className="rounded-card border border-line">
        {server.prompts.map((prompt) => (
          <PromptRow key={prompt.name} serverId={server.id} prompt={prompt} />
        ))}
      </ul>
    </section>
  )
}

function PromptRow({ serverId, prompt }: { serverId: string; prompt: ServerPrompt }) {
  const { t } = useTranslation('tools')
  const [values, setValues] = useState<Record<string, string>>({})
  const [written, setWritten] = useState<string | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(null)
    try {
      const body = { name: prompt.name, arguments: values }
      const { messages } = await call(fillServerPrompt, { params: { toolSetId: serverId }, body })
      setWritten(messages.map(({ text }) => text ?? '').join('\n\n'))
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  if (!prompt.is_there)
    return (
      <li className="flex items-center gap-2 border-b border-line px-3.5 py-2.5 last:border-b-0">
        <span className="min-w-0 truncate font-mono text-13 text-ink-3">{prompt.name}</span>
        <Badge tone="warning">{t('servers.gone')}</Badge>
      </li>
    )
  return (
    <li className="border-b border-line px-3.5 py-2.5 last:border-b-0">
      <details>
        <summary className="cursor-pointer text-13">
          <span className="font-mono font-medium">{prompt.name}</span>{' '}
          <span className="text-12 text-ink-2">{prompt.description}</span>
        </summary>
        <form onSubmit={onSubmit} className="mt-3 grid gap-3">
          {prompt.arguments.map(({ name, description, required }) => (
            <Field key={name} label={name} hint={description} optional={!required}>
              <Input
                required={required}
                maxLength={10_000}
                value={values[name] ?? ''}
                onChange={(event) => setValues({ ...values, [name]: event.target.value })}
              />
            </Field>
          ))}
          <div>
            <Button type="submit" size="sm" busy={isBusy}>
              {t('servers.write')}
            </Button>
          </div>
          {failure !== null && <Callout tone="danger">{errorText(t, failure)}</Callout>}
          {written !== null && <Text text={written} />}
        </form>
      </details>
    </li>
  )
}

/** Text from a server, unformatted, with a copy button. */
export function Text({ text }: { text: string }) {
  const { t } = useTranslation('tools')
  return (
    <div className="flex items-start gap-2">
      <pre className="max-h-80 min-w-0 flex-1 overflow-auto rounded-row border border-line bg-bg p-3 font-mono text-12 whitespace-pre-wrap wrap-anywhere">
        {text}
      </pre>
      <CopyButton name={t('servers.copy')} read={() => text} />
    </div>
  )
}
