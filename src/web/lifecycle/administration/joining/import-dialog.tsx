import { useMutation } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { INVITATION_DAYS, invite } from '#shared/identity/accounts/joining.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../platform/lib/me/roles.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { CompanyPicker } from '../company-picker.tsx'
import { useManagedCompanies } from '../use-managed.ts'
import { MAX_ROWS, type PersonRow, readPeople } from './read-people.ts'
import { readText } from './read-text.ts'

/** Addresses per request, as the contract allows. */
const PER_REQUEST = 50
/** Rows of the preview. */
const SHOWN = 200
const MAX_BYTES = 2_000_000

type ImportDialogProps = { onClose: () => void; onInvited: () => void }

/** Invites the people of a CSV file, after a preview that marks rows that cannot be invited. */
export function ImportDialog({ onClose, onInvited }: ImportDialogProps) {
  const { t } = useTranslation('admin')
  const isSuper = isSuperAdmin(useMe())
  const { data: companies = [] } = useManagedCompanies()
  const input = useRef<HTMLInputElement>(null)
  const [companyId, setCompanyId] = useState('')
  const [file, setFile] = useState<{ name: string; text: string } | null>(null)
  const company = companyId || (companies[0]?.id ?? '')
  const rows = file ? readPeople(file.text, { companies, companyId: company, isSuper }) : []
  const good = (rows ?? []).filter(({ problem }) => problem === null)
  const inviting = useInviteAll()
  const read = async (chosen: File | undefined) => {
    if (!chosen) return
    if (chosen.size > MAX_BYTES) toast.error(t('administration.import.too_large'))
    else setFile({ name: chosen.name, text: readText(new Uint8Array(await chosen.arrayBuffer())) })
  }
  const send = () =>
    inviting.mutate(good, {
      onSuccess: (count) => {
        toast.success(t('administration.invitations.sent', { count }))
        onInvited()
        onClose()
      },
    })
  return (
    <Dialog
      open
      size="md"
      dismissible={!inviting.isPending}
      onOpenChange={(open) => open || onClose()}
      title={t('administration.import.title')}
      description={t('administration.import.hint')}
      footer={
        <>
          <Button disabled={inviting.isPending} onClick={onClose}>
            {t('common:actions.cancel')}
          </Button>
          <Button variant="primary" disabled={good.length === 0} busy={inviting.isPending} onClick={send}>
            {t('administration.invitations.send', { count: good.length })}
          </Button>
        </>
      }
    >
      <div className="grid gap-3.5 pt-3">
        <input
          ref={input}
          type="file"
          hidden
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          aria-label={t('administration.import.choose')}
          onChange={({ target }) => void read(target.files?.[0])}
        />
        <div className="flex flex-wrap items-center gap-2">
          <Button icon={<FileUp aria-hidden className="icon" />} onClick={() => input.current?.click()}>
            {file?.name ?? t('administration.import.choose')}
          </Button>
          <span className="text-13 text-ink-2">{t('administration.import.default_company')}</span>
          <CompanyPicker
            name={t('administration.import.default_company')}
            companies={companies}
            value={company}
            emptyLabel=""
            onChoose={setCompanyId}
          />
        </div>
        {rows === null && (
          <Callout tone="danger" title={t('administration.import.unreadable')}>
            {t('administration.import.unreadable_hint')}
          </Callout>
        )}
        {inviting.error && (
          <Callout tone="danger" title={t('administration.import.stopped')}>
            {errorText(t, inviting.error)}
          </Callout>
        )}
        {rows && rows.length > 0 && <Preview rows={rows} />}
      </div>
    </Dialog>
  )
}

/** Invites in one request for each company and role. Returns the number of invitations. */
function useInviteAll() {
  return useMutation({
    mutationFn: async (rows: PersonRow[]) => {
      let sent = 0
      for (const group of Map.groupBy(rows, ({ companyId, role }) => `${companyId} ${role}`).values())
        for (let from = 0; from < group.length; from += PER_REQUEST) {
          const part = group.slice(from, from + PER_REQUEST)
          const [{ companyId, role } = { companyId: null, role: 'member' as const }] = part
          const emails = part.map(({ email }) => email)
          const body = { company_id: companyId ?? '', role, emails, days: INVITATION_DAYS }
          sent += (await call(invite, { body })).items.length
        }
      return sent
    },
  })
}

function Preview({ rows }: { rows: PersonRow[] }) {
  const { t } = useTranslation('admin')
  const wrong = rows.filter(({ problem }) => problem !== null)
  // Rows with a problem come first: they are what the preview is for.
  const shown = [...wrong, ...rows.filter(({ problem }) => problem === null)].slice(0, SHOWN)
  return (
    <>
      <p role="status" className="text-13">
        {t('administration.import.found', { count: rows.length - wrong.length })}
        {wrong.length > 0 && ` ${t('administration.import.left_out', { count: wrong.length })}`}
        {rows.length > MAX_ROWS && ` ${t('administration.import.row_limit', { count: MAX_ROWS })}`}
      </p>
      <div className="admin-card max-h-72 overflow-y-auto">
        <ul className="divide-y divide-line text-13">
          {shown.map(({ email, company, role, problem }, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a file have no ids.
            <li key={n} className="flex items-center gap-3 px-3 py-1.5">
              <span className="min-w-0 flex-1 truncate">{email || '—'}</span>
              <span className="max-w-40 truncate text-ink-2">{company}</span>
              <span className="text-ink-2">{t(`administration.role.${role}`)}</span>
              {problem && <Badge tone="danger">{t(`administration.import.problem.${problem}`)}</Badge>}
            </li>
          ))}
        </ul>
      </div>
      {rows.length > shown.length && (
        <p className="text-12 text-ink-3">
          {t('administration.import.more', { count: rows.length - shown.length })}
        </p>
      )}
    </>
  )
}
