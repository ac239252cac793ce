import { type FormEvent, useState } from 'react'
import {
  createMcpServer,
  DEFAULT_LIMIT_SECONDS,
  MAX_LIMIT_SECONDS,
  type McpServer,
  MIN_LIMIT_SECONDS,
  updateMcpServer,
} from '#shared/tools/own-tools/mcp-servers.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Choice, Segment } from '../../platform/ui/choices/segments.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input, PasswordInput, Textarea } from '../../platform/ui/input.tsx'
import { NumberInput } from '../../platform/ui/number-input.tsx'
import { toolFailure } from '../tools/tools.ts'
import { type Draft, startDraft, toChanges, toWish } from './server-draft.ts'
import { noteServer, useConnecting } from './use-servers.ts'

type Props = { server: McpServer | null; onSaved: (server: McpServer) => void }

/** Connection form: for a new server, or for one the user owns. */
export function ServerForm({ server, onSaved }: Props) {
  const { t } = useTranslation('tools')
  const { data: may } = useConnecting()
  const [draft, setDraft] = useState(() => startDraft(server))
  const change = (patch: Partial<Draft>) => setDraft((before) => ({ ...before, ...patch }))
  const { run, isPending, error } = useAction(
    () =>
      server
        ? call(updateMcpServer, { params: { toolSetId: server.id }, body: toChanges(draft) })
        : call(createMcpServer, { body: toWish(draft) }),
    (saved) => {
      noteServer(saved)
      onSaved(saved)
    },
  )
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void run()
  }
  return (
    <form onSubmit={onSubmit} className="grid gap-4">
      {!server && may?.stdio && (
        <div>
          <Choice name={t('servers.kind')}>
            {(['http', 'stdio'] as const).map((kind) => (
              <Segment key={kind} isOn={draft.kind === kind} onClick={() => change({ kind })}>
                {t(`servers.${kind}`)}
              </Segment>
            ))}
          </Choice>
        </div>
      )}
      <Reach {...{ server, draft, change }} />
      {error !== null && (
        <Callout tone="danger" title={t(server ? 'servers.save_failed' : 'servers.connect_failed')}>
          {toolFailure(t, error)}
        </Callout>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={isPending}>
          {t(server ? 'servers.save' : 'servers.connect')}
        </Button>
      </div>
    </form>
  )
}

type ReachProps = { server: McpServer | null; draft: Draft; change: (patch: Partial<Draft>) => void }

function Reach({ server, draft, change }: ReachProps) {
  const { t } = useTranslation('tools')
  const { kind } = draft
  const kept = server?.secrets.map(({ name }) => name).join(', ')
  return (
    <>
      <Field label={t('servers.name')}>
        <Input
          value={draft.name}
          maxLength={100}
          required
          onChange={({ target }) => change({ name: target.value })}
        />
      </Field>
      <Field label={t(`servers.place_${kind}`)} hint={t(`servers.place_${kind}_hint`)}>
        <Input
          value={draft.place}
          maxLength={2_000}
          required
          onChange={({ target }) => change({ place: target.value })}
        />
      </Field>
      <Field
        optional
        label={t(`servers.secrets_${kind}`)}
        hint={kept ? t('servers.secrets_kept', { names: kept }) : t('servers.secrets_hint')}
      >
        <Textarea
          value={draft.secrets}
          rows={2}
          onChange={({ target }) => change({ secrets: target.value })}
        />
      </Field>
      <Field label={t('servers.limit')} hint={t('servers.limit_hint')}>
        <NumberInput
          value={draft.limitSeconds}
          min={MIN_LIMIT_SECONDS}
          max={MAX_LIMIT_SECONDS}
          fallback={DEFAULT_LIMIT_SECONDS}
          onValueChange={(limitSeconds) => change({ limitSeconds })}
        />
      </Field>
      {kind === 'http' && (
        <details open={draft.clientId !== ''}>
          <summary className="cursor-pointer text-13">{t('servers.client')}</summary>
          <div className="mt-3 grid gap-3">
            <p className="text-12 text-ink-3">{t('servers.client_text')}</p>
            <Field label={t('servers.client_id')} optional>
              <Input
                value={draft.clientId}
                maxLength={500}
                onChange={({ target }) => change({ clientId: target.value })}
              />
            </Field>
            <Field label={t('servers.client_secret')} optional>
              <PasswordInput
                value={draft.clientSecret}
                maxLength={10_000}
                autoComplete="off"
                onChange={({ target }) => change({ clientSecret: target.value })}
              />
            </Field>
          </div>
        </details>
      )}
    </>
  )
}
