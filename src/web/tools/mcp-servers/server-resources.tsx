import { useState } from 'react'
import { type McpServer, readServerResource, type ServerText } from '#shared/tools/own-tools/mcp-servers.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { Text } from './server-prompts.tsx'

/** Number of rows shown before "show more". */
const SHOWN = 50

/** Resources of a server, each read on request. */
export function ServerResources({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const [uri, setUri] = useState('')
  const [parts, setParts] = useState<ServerText[] | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const [isAll, setAll] = useState(false)
  if (server.resources.length === 0) return <p className="text-13 text-ink-2">{t('servers.no_resources')}</p>
  const read = async (wanted: string) => {
    setUri(wanted)
    setBusy(true)
    setFailure(null)
    setParts(null)
    try {
      const answer = await call(readServerResource, {
        ...{ params: { toolSetId: server.id }, body: { uri: wanted } },
      })
      setParts(answer.parts)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-label={t('servers.resources')}>
      <ul className="rounded-card border border-line">
        {server.resources.slice(0, isAll ? undefined : SHOWN).map((resource) => (
          <li
            key={resource.uri}
            className="flex items-center gap-3 border-b border-line px-3.5 py-2 last:border-b-0"
          >
            <div className="min-w-0 flex-1">
              <p className="truncate font-mono text-13">{resource.uri}</p>
              <p className="truncate text-12 text-ink-2">{resource.description || resource.name}</p>
            </div>
            {resource.is_there ? (
              <Button
                size="sm"
                onClick={() => (resource.template ? setUri(resource.uri) : void read(resource.uri))}
              >
                {t(resource.template ? 'servers.fill' : 'servers.read')}
              </Button>
            ) : (
              <Badge tone="warning">{t('servers.gone')}</Badge>
            )}
          </li>
        ))}
      </ul>
      {!isAll && server.resources.length > SHOWN && (
        <Button variant="link" size="sm" className="mt-2" onClick={() => setAll(true)}>
          {t('servers.all')}
        </Button>
      )}
      <form
        className="mt-3 grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          void read(uri)
        }}
      >
        <Field label={t('servers.uri')} hint={t('servers.uri_hint')}>
          <Input value={uri} maxLength={2_000} required onChange={(event) => setUri(event.target.value)} />
        </Field>
        <div>
          <Button type="submit" size="sm" busy={isBusy}>
            {t('servers.read')}
          </Button>
        </div>
        {failure !== null && <Callout tone="danger">{errorText(t, failure)}</Callout>}
        {parts?.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an answer do not change places.
          <Text key={at} text={part.text ?? `${part.media_type ?? ''} ${formatNumber(part.bytes)} B`} />
        ))}
      </form>
    </section>
  )
}
