import { Fragment, useState } from 'react'
import type { DraftKind } from '#shared/runs/runs/request.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input, Textarea } from '../../../platform/ui/input.tsx'
import { sourceText } from '../leaving.tsx'
import { type DraftField, fieldsOfDraft } from './draft-values.ts'
import { Foot, type FormProps, Refusal } from './form-parts.tsx'
import { type DraftControl, useDraftCall } from './use-draft-call.ts'

/** A call that acts outside, as a draft: the person changes it, and sends exactly what it shows. */
export function DraftForm({ request, answering, start, frame }: FormProps) {
  const { t } = useTranslation(['actions', 'streaming_blocks'])
  const { tool } = request
  const kind = tool?.draft ?? 'mail'
  const control = useDraftCall(kind, tool?.input)
  const [isDeclining, setDeclining] = useState(false)
  const [reason, setReason] = useState('')
  const send = () => {
    if (!control.check()) return
    answering.send({ input: { approved: true, arguments: control.read() }, input_type: 'json' })
  }
  const decline = () => {
    const why = reason.trim()
    answering.send({ input: { approved: false, ...(why && { reason: why }) }, input_type: 'json' })
  }
  const read = tool?.outward?.read ?? []
  return frame(
    answering.isSending ? 'processing' : 'waiting',
    <form
      noValidate
      className="flex min-h-0 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        if (isDeclining) decline()
        else send()
      }}
    >
      <div className="grid min-h-0 gap-2.5 overflow-y-auto p-4">
        {read.length > 0 && (
          <Callout tone="warning">
            {t('streaming_blocks:input.outward.read', {
              sources: read.map((one) => sourceText(one, t)).join(', '),
            })}
          </Callout>
        )}
        {fieldsOfDraft[kind].map((field) => (
          <DraftLine
            key={field.name}
            field={field}
            control={control}
            refusal={answering.fieldErrors.find(({ path }) => isOf(path, field.name))?.message}
          />
        ))}
        {control.hasMore && (
          <Button variant="ghost" size="sm" className="justify-self-start" onClick={control.showMore}>
            {t('draft.add_copies')}
          </Button>
        )}
        {isDeclining && (
          <Field
            label={t('streaming_blocks:input.reason')}
            hint={t('streaming_blocks:input.reason_hint')}
            optional
            className="mt-1.5"
          >
            <Input
              autoFocus
              value={reason}
              maxLength={2000}
              onChange={({ target }) => setReason(target.value)}
            />
          </Field>
        )}
        <Refusal answering={answering} />
      </div>
      <Foot start={start}>
        {isDeclining ? (
          <Fragment key="decline">
            <Button variant="ghost" onClick={() => setDeclining(false)}>
              {t('common:actions.back')}
            </Button>
            <Button type="submit" variant="primary" busy={answering.isSending}>
              {t('streaming_blocks:input.decline_now')}
            </Button>
          </Fragment>
        ) : (
          <Fragment key="send">
            <Button disabled={answering.isSending} onClick={() => setDeclining(true)}>
              {t('streaming_blocks:input.decline')}
            </Button>
            <Button type="submit" variant="primary" busy={answering.isSending}>
              {t(`draft.send.${sendKey(kind, control)}`)}
            </Button>
          </Fragment>
        )}
      </Foot>
    </form>,
  )
}

const isOf = (path: string, name: string) =>
  path === `arguments.${name}` || path.startsWith(`arguments.${name}.`)

const sendKey = (kind: DraftKind, { texts }: DraftControl) =>
  kind === 'event' && texts.guests?.trim() ? 'event_invite' : kind

type LineProps = { field: DraftField; control: DraftControl; refusal: string | undefined }

function DraftLine({ field, control, refusal }: LineProps) {
  const { t } = useTranslation('actions')
  const { name, control: kind } = field
  if (!control.isShown(field)) return null
  const value = control.texts[name] ?? ''
  const fault = control.faultOf(field)
  const error = fault
    ? t(`draft.${fault.key}`, 'address' in fault ? { address: fault.address } : {})
    : refusal
  const onChange = ({ target }: { target: { value: string } }) => control.set(name, target.value)
  return (
    <Field
      label={t(`draft.${name as 'subject'}`)}
      className="md:grid md:grid-cols-[120px_minmax(0,1fr)] md:items-start md:gap-x-3 [&>*:last-child:nth-child(3)]:col-start-2 [&_label]:font-regular [&_label]:text-ink-2 md:[&_label]:pt-1.5"
      error={error}
    >
      {kind === 'fixed' && <Input quiet readOnly value={value} />}
      {kind === 'text' && (
        <Textarea quiet className="max-h-80 !min-h-32 max-md:text-16" value={value} onChange={onChange} />
      )}
      {kind === 'time' && <Input quiet type="datetime-local" value={value} onChange={onChange} />}
      {(kind === 'line' || kind === 'people') && (
        <Input quiet inputMode={kind === 'people' ? 'email' : 'text'} value={value} onChange={onChange} />
      )}
    </Field>
  )
}
