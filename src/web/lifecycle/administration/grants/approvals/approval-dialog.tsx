import { X } from 'lucide-react'
import { useState } from 'react'
import type { ManagedCompany } from '#shared/identity/administration/administration.ts'
import type { Named } from '#shared/runs/runs/request.ts'
import type { ToolApproval } from '#shared/tools/approvals/approvals.ts'
import { RecipientRow, RecipientSearch } from '../../../../identity/sharing/sharing.tsx'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { nameOfTool } from '../../../../platform/i18n/tool-words.ts'
import { Callout } from '../../../../platform/ui/callout.tsx'
import { Field } from '../../../../platform/ui/field.tsx'
import { IconButton } from '../../../../platform/ui/icon-button.tsx'
import { FormDialog } from '../../../../platform/ui/overlays/form-dialog.tsx'
import { Select } from '../../../../platform/ui/select.tsx'
import { useTools } from '../../../../tools/tools/tools.ts'
import { deadlinesWith, deputyTimesWith, durationText } from './minutes.ts'
import { useNameApprover } from './use-approvals.ts'

type ApprovalDialogProps = {
  company: ManagedCompany
  /** Null for a tool that has none yet. */
  approval: ToolApproval | null
  /** Ids of the tools that have one. */
  taken: readonly string[]
  onClose: () => void
}

/** Names who approves the calls of a tool, their deputy, and the times. */
export function ApprovalDialog({ company, approval, taken, onClose }: ApprovalDialogProps) {
  const { t } = useTranslation(['admin', 'tool_ui'])
  const { data: tools = [] } = useTools()
  const free = tools.filter(({ id }) => !taken.includes(id))
  const [chosen, setChosen] = useState(approval?.tool_id ?? '')
  const toolId = chosen || (free[0]?.id ?? '')
  const [approver, setApprover] = useState(approval?.approver ?? null)
  const [deputy, setDeputy] = useState(approval?.deputy ?? null)
  const [deadline, setDeadline] = useState(approval?.deadline_minutes ?? 1440)
  const [after, setAfter] = useState(approval?.deputy_minutes ?? 60)
  const naming = useNameApprover(company.id, onClose)
  const times = deputyTimesWith(after, deadline)
  const deputyMinutes = times.includes(after) ? after : (times.at(-1) ?? 0)
  const choices = (minutes: number[]) =>
    minutes.map((one) => ({
      value: String(one),
      label: one === 0 ? t('approvals.at_once') : durationText(t, one),
    }))
  return (
    <FormDialog
      title={t(approval ? 'approvals.change_title' : 'approvals.add_title')}
      send={t('administration.save')}
      size="md"
      disabled={!approver || toolId === ''}
      busy={naming.isPending}
      onSend={() =>
        approver &&
        naming.mutate({
          ...{ toolId, approver: whoOf(approver), deputy: deputy && whoOf(deputy) },
          ...{ deputy_minutes: deputyMinutes, deadline_minutes: deadline },
        })
      }
      onClose={onClose}
    >
      <Field label={t('approvals.tool')}>
        <Select
          value={toolId}
          disabled={approval !== null}
          options={(approval ? tools.filter(({ id }) => id === approval.tool_id) : free).map(
            ({ id, ui_name }) => ({
              value: id,
              label: nameOfTool(t, { tool_id: id, tool_name: ui_name }),
            }),
          )}
          onValueChange={setChosen}
        />
      </Field>
      <NamedField label={t('approvals.approver')} named={approver} other={deputy} onChange={setApprover} />
      <Field label={t('approvals.deadline')} hint={t('approvals.deadline_hint')}>
        <Select
          value={String(deadline)}
          options={choices(deadlinesWith(deadline))}
          onValueChange={(next) => setDeadline(Number(next))}
        />
      </Field>
      <NamedField label={t('approvals.deputy_label')} named={deputy} other={approver} onChange={setDeputy} />
      {deputy && (
        <Field label={t('approvals.deputy_after')} hint={t('approvals.deputy_hint')}>
          <Select
            value={String(deputyMinutes)}
            options={choices(times)}
            onValueChange={(next) => setAfter(Number(next))}
          />
        </Field>
      )}
      {naming.error && <Callout tone="danger">{errorText(t, naming.error)}</Callout>}
    </FormDialog>
  )
}

const whoOf = ({ kind, id }: Named) => ({ kind, id })

type NamedFieldProps = {
  label: string
  named: Named | null
  /** Not offered. */
  other: Named | null
  onChange: (named: Named | null) => void
}

/** One person or group: shown with its name, or searched for. */
function NamedField({ label, named, other, onChange }: NamedFieldProps) {
  const { t } = useTranslation('admin')
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend of its own.
    <div role="group" aria-label={label} className="grid gap-1.5">
      <span className="text-13 font-medium">{label}</span>
      {named ? (
        <ul className="admin-card">
          <RecipientRow who={named.kind} name={named.name} detail={t(`approvals.kind.${named.kind}`)}>
            <IconButton
              size="xs"
              name={t('approvals.clear', { name: named.name })}
              onClick={() => onChange(null)}
            >
              <X aria-hidden className="icon-12" />
            </IconButton>
          </RecipientRow>
        </ul>
      ) : (
        <RecipientSearch
          shares={other ? [{ who: other.kind, recipient_id: other.id }] : []}
          kinds={['group', 'person']}
          label={t('approvals.find')}
          onChoose={({ who }, found) => {
            if (who === 'group' || who === 'person') onChange({ kind: who, id: found.id, name: found.name })
          }}
        />
      )}
    </div>
  )
}
