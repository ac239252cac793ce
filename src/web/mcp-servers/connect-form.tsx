import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { createMcpServer } from '#shared/own-tools/mcp-servers.ts'
import { errorText } from '../i18n/error-text.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { call } from '../lib/call.ts'
import { useMe } from '../lib/me.ts'
import { isSuperAdmin } from '../lib/roles.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Choice, Segment } from '../ui/choices/segments.tsx'
import { Field } from '../ui/field.tsx'
import { Input, Textarea } from '../ui/input.tsx'
import { noteServer } from './use-servers.ts'

/** Connects a server by its address, or by a command where the person may; then opens its page. */
export function ConnectForm() {
  const { t } = useTranslation('tools')
  const navigate = useNavigate()
  const me = useMe()
  const [kind, setKind] = useState<'http' | 'stdio'>('http')
  const [name, setName] = useState('')
  const [place, setPlace] = useState('')
  const [secrets, setSecrets] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(null)
    try {
      const body = { name, address: readAddress(kind, place), secrets: readSecrets(secrets) }
      const server = await call(createMcpServer, { body })
      noteServer(server)
      void navigate({ to: '/tools/servers/$serverId', params: { serverId: server.id } })
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={onSubmit} className="grid gap-4">
      {isSuperAdmin(me) && (
        <div>
          <Choice name={t('servers.kind')}>
            {(['http', 'stdio'] as const).map((one) => (
              <Segment key={one} isOn={kind === one} onClick={() => setKind(one)}>
                {t(`servers.${one}`)}
              </Segment>
            ))}
          </Choice>
        </div>
      )}
      <Field label={t('servers.name')}>
        <Input value={name} maxLength={100} required onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label={t(`servers.place_${kind}`)} hint={t(`servers.place_${kind}_hint`)}>
        <Input value={place} maxLength={2_000} required onChange={(event) => setPlace(event.target.value)} />
      </Field>
      <Field label={t(`servers.secrets_${kind}`)} hint={t('servers.secrets_hint')}>
        <Textarea value={secrets} rows={2} onChange={(event) => setSecrets(event.target.value)} />
      </Field>
      {failure !== null && (
        <Callout tone="danger" title={t('servers.connect_failed')}>
          {errorText(t, failure)}
        </Callout>
      )}
      <div>
        <Button type="submit" variant="primary" busy={isBusy}>
          {t('servers.connect')}
        </Button>
      </div>
    </form>
  )
}

/** A command is its words, in quotation marks where one has spaces. */
function readAddress(kind: 'http' | 'stdio', place: string) {
  if (kind === 'http') return { kind, url: place }
  const words = [...place.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const [command = '', ...args] = words
  return { kind, command, args }
}

/** One a line, `Name: value`. */
function readSecrets(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.search(/[:=]/)
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}
