import { useMutation } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import type { AskedTool } from '#shared/runs/runs/request.ts'
import { setToolPolicy } from '#shared/tools/tools/policy.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { ArgumentFields } from './argument-fields.tsx'
import { Foot, type FormProps, Refusal } from './form-parts.tsx'
import { ServerWord, useMadeTool } from './server-word.tsx'
import { useArguments } from './use-arguments.ts'

/** A tool that asks before it runs: its arguments can be changed, it can be declined with a reason. */
export function ApprovalForm({ request, answering, start, frame }: FormProps) {
  const { t } = useTranslation('streaming_blocks')
  const control = useArguments(request.tool)
  const [reason, setReason] = useState<string | null>(null)
  const [isAlways, setAlways] = useState(false)
  const { assistant } = request.tool ?? {}
  const allow = useAllowAlways(request.tool)
  const made = useMadeTool(request.tool)
  const approve = () => {
    if (!control.isValid) return
    const { values, isChanged } = control.read()
    if (isAlways) allow.mutate()
    answering.send({ input: { approved: true, ...(isChanged && { arguments: values }) }, input_type: 'json' })
  }
  const decline = () =>
    answering.send({
      input: { approved: false, ...(reason?.trim() && { reason: reason.trim() }) },
      input_type: 'json',
    })
  const refusalOf = (name: string) =>
    answering.fieldErrors.find(({ path }) => path === `arguments.${name}`)?.message
  return frame(
    answering.isSending ? 'processing' : 'waiting',
    <form
      noValidate
      className="flex min-h-0 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason === null) approve()
        else decline()
      }}
    >
      <div className="grid min-h-0 gap-2.5 overflow-y-auto p-4">
        <ServerWord tool={made} />
        <ArgumentFields control={control} refusalOf={refusalOf} />
        {reason !== null && (
          <Field label={t('input.reason')} hint={t('input.reason_hint')} optional className="mt-1.5">
            <Input
              autoFocus
              value={reason}
              maxLength={2000}
              onChange={(event) => setReason(event.target.value)}
            />
          </Field>
        )}
        <Refusal answering={answering} />
      </div>
      <Foot
        start={
          <>
            {start}
            {reason === null && made?.may_allow !== false && (
              <Checkbox
                checked={isAlways}
                onCheckedChange={setAlways}
                className="!text-13 text-ink-2 max-md:w-full"
                label={
                  assistant ? t('input.always_for', { assistant: assistant.name }) : t('input.always_own')
                }
              />
            )}
          </>
        }
      >
        {/* Keys: a button that took the place of the clicked one would be pressed by the same click. */}
        {reason === null ? (
          <Fragment key="ask">
            <Button variant="ghost" disabled={!control.isValid} onClick={control.toggleJson}>
              {t(control.json === null ? 'input.edit_json' : 'input.edit_fields')}
            </Button>
            <Button disabled={answering.isSending} onClick={() => setReason('')}>
              {t('input.decline')}
            </Button>
            <Button type="submit" variant="primary" busy={answering.isSending} disabled={!control.isValid}>
              {t('input.approve')}
            </Button>
          </Fragment>
        ) : (
          <Fragment key="decline">
            <Button variant="ghost" onClick={() => setReason(null)}>
              {t('common:actions.back')}
            </Button>
            <Button type="submit" variant="primary" busy={answering.isSending}>
              {t('input.decline_now')}
            </Button>
          </Fragment>
        )}
      </Foot>
    </form>,
  )
}

/** From the next reply on the tool runs without asking: with the assistant it names, else for the person in all chats. */
function useAllowAlways({ tool_id: toolId = '', assistant, tool_version }: Partial<AskedTool> = {}) {
  const { t } = useTranslation('streaming_blocks')
  return useMutation({
    mutationFn: () =>
      call(setToolPolicy, {
        params: { toolId },
        body: {
          policy: 'auto',
          ...(assistant && { assistant_id: assistant.id }),
          // Leave is given for what was asked about, not for what the tool is by now.
          ...(tool_version !== undefined && { tool_version }),
        },
      }),
    onSuccess: () => {
      // What tool pages show of it is the person's own.
      if (!assistant) for (const key of [['tools'], ['tool', toolId]]) forget(key)
      toast.success(
        assistant ? t('input.allowed_for', { assistant: assistant.name }) : t('input.allowed_own'),
      )
    },
    onError: (error) => toast.error(errorText(t, error)),
  })
}

const forget = (queryKey: string[]) => void queryClient.invalidateQueries({ queryKey })
