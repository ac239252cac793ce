import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import {
  type Connector,
  changeConnector,
  createConnector,
  syncConnector,
} from '#shared/knowledge/connectors/connectors.ts'
import type { Source } from '#shared/knowledge/connectors/sources.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { useConnectable } from '../use-connectable.ts'
import { noteConnector } from '../use-connectors.ts'
import { AccessFields } from './access-fields.tsx'
import {
  accessOf,
  emptyAccess,
  emptySelection,
  isComplete,
  type SignedIn,
  toDraft,
  toReaders,
  toSelection,
} from './connector-draft.ts'
import { CountBox } from './count-box.tsx'
import { SelectionFields } from './selection-fields.tsx'
import { useCount } from './use-trial.ts'

type Props = {
  source: Source
  signedIn: SignedIn
  /** Set when the connector exists because of its sign-in on the page of the source. */
  connector?: Connector
}

/** The items to read and their readers. Count and size are shown before reading can start. */
export function ChooseContent({ source, signedIn: { trial, name }, connector }: Props) {
  const { t } = useTranslation('connectors')
  const navigate = useNavigate()
  const { companies } = useConnectable()
  const company = companies.find(({ id }) => id === trial.company_id) ?? null
  const [draft, setDraft] = useState(() => (connector ? toDraft(connector.selection) : emptySelection))
  const [access, setAccess] = useState(() => (connector ? accessOf(connector) : emptyAccess(source, company)))
  const isChosen = isComplete(draft)
  const selection = toSelection(draft)
  const { count, error: countError, retry } = useCount(trial, isChosen ? selection : null)
  const creating = useMutation({
    mutationFn: async (start: boolean) => {
      const { settings, company_id } = trial
      const readers = toReaders(access.readers)
      if (connector) return saveChoice(connector.id, { ...access, readers, selection }, start)
      const body = { ...access, source: source.id, company_id, name, settings, selection, readers, start }
      return call(createConnector, { body })
    },
    onSuccess: (made, start) => {
      noteConnector(made)
      if (connector && !start) void toast.success(t('saved'))
      void navigate({ to: `/documents/connectors/${made.id}` as '/documents' })
    },
  })
  const isBusy = (start: boolean) => creating.isPending && creating.variables === start
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_320px] items-start gap-6 max-lg:grid-cols-1">
      <div className="grid grid-cols-1 gap-4">
        <p className="flex items-center gap-2 text-13 text-ink-2" role="status">
          <CircleCheck aria-hidden className="icon flex-none text-success" />
          {t('sign_in.works')}
        </p>
        <SelectionFields source={source} trial={trial} selection={draft} onChange={setDraft} />
      </div>
      <div className="grid grid-cols-1 gap-6">
        <CountBox count={count} error={countError} retry={retry} isComplete={isChosen} />
        <AccessFields source={source} company={company} access={access} onChange={setAccess} />
        {creating.error && (
          <Callout tone="danger" title={t('create_failed')}>
            {errorText(t, creating.error)}
          </Callout>
        )}
        <div className="flex flex-wrap gap-2">
          <Button
            variant="primary"
            disabled={!count || creating.isPending}
            busy={isBusy(true)}
            onClick={() => creating.mutate(true)}
          >
            {t('start')}
          </Button>
          <Button
            variant="ghost"
            disabled={!isChosen || creating.isPending}
            busy={isBusy(false)}
            onClick={() => creating.mutate(false)}
          >
            {t('save_only')}
          </Button>
        </div>
      </div>
    </div>
  )
}

type Choice = Pick<Connector, 'selection' | 'readers' | 'rights' | 'every_minutes'>

/** Stores what is read by whom, and begins to read. */
async function saveChoice(id: string, body: Choice, start: boolean): Promise<Connector> {
  const params = { connectorId: id }
  const saved = await call(changeConnector, { params, body })
  return start ? call(syncConnector, { params }) : saved
}
