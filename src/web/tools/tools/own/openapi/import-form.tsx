import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { changesData } from '#shared/tools/own-tools/http-call.ts'
import {
  type ApiDescription,
  type ImportDone,
  importDescription,
  type Operation,
  type ToolSet,
} from '#shared/tools/own-tools/openapi.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { call } from '../../../../platform/lib/api/call.ts'
import { useAction } from '../../../../platform/lib/use-action.ts'
import { Badge } from '../../../../platform/ui/badge.tsx'
import { Button } from '../../../../platform/ui/button.tsx'
import { Callout } from '../../../../platform/ui/callout.tsx'
import { Choice, Segment } from '../../../../platform/ui/choices/segments.tsx'
import { Field } from '../../../../platform/ui/field.tsx'
import { Input } from '../../../../platform/ui/input.tsx'
import { ConfirmDialog } from '../../../../platform/ui/overlays/confirm-dialog.tsx'
import { toast } from '../../../../platform/ui/toasts/toasts.ts'
import { AuthFields, SecretFields } from '../access-section.tsx'
import { refreshList } from '../save.ts'
import type { Where } from './choose-description.tsx'
import { OperationList, type Picked } from './operation-list.tsx'

type ImportFormProps = { set: ToolSet | null; where: Where; description: ApiDescription }

/** Selects the operations to import, the server and the auth scheme. */
export function ImportForm({ set, where, description }: ImportFormProps) {
  const { t } = useTranslation('own_tools')
  const navigate = useNavigate()
  const [server, setServer] = useState(set?.source?.server ?? description.servers[0] ?? '')
  const [auth, setAuth] = useState(set?.auth ?? description.auths[0]?.auth ?? { kind: 'none' as const })
  const [secrets, setSecrets] = useState<Record<string, string>>({})
  const [picked, setPicked] = useState<Picked>(() => startPicked(set, description.operations))
  const [changes, setChanges] = useState<ImportDone | null>(null)
  const send = (dry_run: boolean) => {
    const operations = [...picked].map(([key, policy]) => ({ key, policy }))
    const given = Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== ''))
    const body = { ...where, set_id: set?.id ?? null, server, auth, secrets: given, operations, dry_run }
    return call(importDescription, { body })
  }
  const look = useAction(() => send(true), setChanges)
  const store = useAction(
    () => send(false).finally(() => setChanges(null)),
    ({ added, changed }) => {
      void toast.success(t('openapi.done', { count: added.length + changed.length }))
      void refreshList().then(() => navigate({ to: '/tools' }))
    },
  )
  const error = store.error ?? look.error
  const asking = [...picked].filter(([key]) => changesData(methodOf(description.operations, key))).length
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-13">
        <span className="font-medium">{description.title}</span>
        <Badge tone="line">{description.format}</Badge>
        <span className="text-ink-2">
          {t('openapi.operations', { count: description.operations.length })}
        </span>
      </p>
      <div className="grid gap-3 md:grid-cols-2">
        <Field label={t('openapi.server')}>
          <Input
            value={server}
            spellCheck={false}
            className="font-mono"
            list="openapi-servers"
            onChange={({ target }) => setServer(target.value)}
          />
        </Field>
        <datalist id="openapi-servers">
          {description.servers.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        {description.auths.length > 0 && (
          <div className="grid content-start gap-1.5">
            <span className="text-13 font-medium">{t('openapi.named')}</span>
            <Choice name={t('openapi.named')}>
              {description.auths.map((one) => (
                <Segment key={one.name} isOn={auth === one.auth} onClick={() => setAuth(one.auth)}>
                  {one.name}
                </Segment>
              ))}
            </Choice>
          </div>
        )}
        <AuthFields auth={auth} onChange={setAuth} />
        <SecretFields {...{ auth, kept: set?.secrets ?? [], values: secrets, onChange: setSecrets }} />
      </div>
      <OperationList operations={description.operations} picked={picked} onPicked={setPicked} />
      {error !== null && (
        <Callout tone="danger" title={t('said.create_failed')}>
          {errorText(t, error)}
        </Callout>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <p className="flex-1 text-13 text-ink-2">
          {t('openapi.chosen', { count: picked.size })} {asking > 0 && t('openapi.asking', { count: asking })}
        </p>
        <Button
          variant="primary"
          busy={store.isPending || look.isPending}
          disabled={picked.size === 0}
          onClick={() => void (set ? look.run() : store.run())}
        >
          {t(set ? 'openapi.compare' : 'openapi.import', { count: picked.size })}
        </Button>
      </div>
      <ConfirmDialog
        open={changes !== null}
        onOpenChange={(isOpen) => !isOpen && setChanges(null)}
        title={t('openapi.changes')}
        message={changes && <Changes changes={changes} />}
        confirmLabel={t('openapi.update')}
        tone="primary"
        busy={store.isPending}
        onConfirm={() => void store.run()}
      />
    </>
  )
}

function startPicked(set: ToolSet | null, operations: Operation[]): Picked {
  const there = new Set(operations.filter(({ unusable }) => unusable === null).map(({ key }) => key))
  return new Map(
    (set?.tools ?? []).filter(({ key }) => there.has(key)).map(({ key, policy }) => [key, policy]),
  )
}

const methodOf = (operations: Operation[], key: string) =>
  operations.find((operation) => operation.key === key)?.method ?? 'GET'

/** Changes an import makes to the existing tools. */
function Changes({ changes: { added, changed, removed, same } }: { changes: ImportDone }) {
  const { t } = useTranslation('own_tools')
  const lines = [
    ...added.map((key) => t('openapi.adds', { key })),
    ...changed.map(({ key, parts }) =>
      t('openapi.changes_of', { key, parts: parts.map((part) => t(`parts.${part}`)).join(', ') }),
    ),
    ...removed.map((key) => t('openapi.removes', { key })),
  ]
  return (
    <>
      {lines.slice(0, 50).map((line) => (
        <span key={line} className="block wrap-anywhere">
          {line}
        </span>
      ))}
      <span className="block">{t('openapi.same', { count: same })}</span>
    </>
  )
}
