import { useMutation } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import type { Outward } from '#shared/platform/outward.ts'
import type { AskedTool } from '#shared/runs/runs/request.ts'
import { setToolPolicy } from '#shared/tools/tools/policy.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { nameOfTool } from '../../../platform/i18n/tool-words.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { ArgumentFields } from '../argument-fields.tsx'
import { hostsText, Leaving } from '../leaving.tsx'
import { ServerWord, useMadeTool } from '../server-word.tsx'
import { type ArgumentsControl, useArguments } from '../use-arguments.ts'
import { Foot, type FormProps, Refusal } from './form-parts.tsx'

/** The subject of the form: the call itself, why it is declined, or whether all further ones are allowed as well. */
type Mode = 'call' | 'reason' | 'chat'

/** A tool that asks before it runs. The person can change its arguments, or decline it with a reason. */
export function ApprovalForm({ request, answering, start, frame }: FormProps) {
  const { t } = useTranslation(['streaming_blocks', 'tool_ui'])
  const control = useArguments(request.tool)
  const [mode, setMode] = useState<Mode>('call')
  const [reason, setReason] = useState('')
  const [isAlways, setAlways] = useState(false)
  const { outward } = request.tool ?? {}
  const allow = useAllowAlways(request.tool)
  const made = useMadeTool(request.tool)
  const approve = () => {
    if (!control.isValid) return
    const { values, isChanged } = control.read()
    if (isAlways) allow.mutate()
    const given = { ...(isChanged && { arguments: values }), ...(mode === 'chat' && { for_chat: true }) }
    answering.send({ input: { approved: true, ...given }, input_type: 'json' })
  }
  const decline = () =>
    answering.send({
      input: { approved: false, ...(reason.trim() && { reason: reason.trim() }) },
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
        if (mode === 'reason') decline()
        else approve()
      }}
    >
      <div className="grid min-h-0 gap-2.5 overflow-y-auto p-4">
        {outward && <Leaving outward={outward} isEdited={control.isEdited} />}
        <ServerWord tool={made} />
        <ArgumentFields control={control} refusalOf={refusalOf} />
        {mode === 'reason' && (
          <Field label={t('input.reason')} hint={t('input.reason_hint')} optional className="mt-1.5">
            <Input
              autoFocus
              value={reason}
              maxLength={2000}
              onChange={(event) => setReason(event.target.value)}
            />
          </Field>
        )}
        {mode === 'chat' && <ChatRisk tool={request.tool} />}
        <Refusal answering={answering} />
      </div>
      <Foot
        start={
          <>
            {start}
            {mode === 'call' && !request.approver && !outward?.by_rule && made?.may_allow !== false && (
              <AlwaysBox tool={request.tool} isAlways={isAlways} onChange={setAlways} />
            )}
          </>
        }
      >
        <Buttons
          {...{ mode, setMode, control, outward }}
          canAllowChat={!request.approver && outward?.can_allow_chat === true}
          isSending={answering.isSending}
        />
      </Foot>
    </form>,
  )
}

type ButtonsProps = {
  mode: Mode
  setMode: (mode: Mode) => void
  control: ArgumentsControl
  outward: Outward | undefined
  canAllowChat: boolean
  isSending: boolean
}

function Buttons({ mode, setMode, control, outward, canAllowChat, isSending }: ButtonsProps) {
  const { t } = useTranslation('streaming_blocks')
  // Keyed, because otherwise the same click would press the button that replaces the clicked one.
  if (mode !== 'call')
    return (
      <Fragment key={mode}>
        <Button variant="ghost" onClick={() => setMode('call')}>
          {t('common:actions.back')}
        </Button>
        <Button type="submit" variant="primary" busy={isSending} disabled={!control.isValid}>
          {t(mode === 'reason' ? 'input.decline_now' : 'input.outward.for_chat')}
        </Button>
      </Fragment>
    )
  return (
    <Fragment key="call">
      <Button variant="ghost" disabled={!control.isValid} onClick={control.toggleJson}>
        {t(control.json === null ? 'input.edit_json' : 'input.edit_fields')}
      </Button>
      <Button disabled={isSending} onClick={() => setMode('reason')}>
        {t('input.decline')}
      </Button>
      {canAllowChat && (
        <Button disabled={isSending || !control.isValid} onClick={() => setMode('chat')}>
          {t('input.outward.for_chat')}
        </Button>
      )}
      <Button type="submit" variant="primary" busy={isSending} disabled={!control.isValid}>
        {t(outward?.by_rule ? 'input.outward.once' : 'input.approve')}
      </Button>
    </Fragment>
  )
}

/** Explains the risk of allowing all further calls in this chat. */
function ChatRisk({ tool }: { tool: AskedTool | undefined }) {
  const { t } = useTranslation(['streaming_blocks', 'tool_ui'])
  if (!tool?.outward) return null
  const values = { tool: nameOfTool(t, tool), hosts: hostsText(tool.outward, t) }
  return (
    <Callout tone="warning" title={t('input.outward.chat_title')}>
      {t('input.outward.chat_risk', values)}
    </Callout>
  )
}

type AlwaysBoxProps = {
  tool: AskedTool | undefined
  isAlways: boolean
  onChange: (isAlways: boolean) => void
}

function AlwaysBox({ tool, isAlways, onChange }: AlwaysBoxProps) {
  const { t } = useTranslation('streaming_blocks')
  const { assistant } = tool ?? {}
  return (
    <Checkbox
      checked={isAlways}
      onCheckedChange={onChange}
      className="!text-13 text-ink-2 max-md:w-full"
      label={assistant ? t('input.always_for', { assistant: assistant.name }) : t('input.always_own')}
    />
  )
}

/** Lets the tool run without asking from the next reply on: with the named assistant, otherwise for the person in all chats. */
function useAllowAlways({ tool_id: toolId = '', assistant, tool_version }: Partial<AskedTool> = {}) {
  const { t } = useTranslation('streaming_blocks')
  return useMutation({
    mutationFn: () =>
      call(setToolPolicy, {
        params: { toolId },
        body: {
          policy: 'auto',
          ...(assistant && { assistant_id: assistant.id }),
          // The permission applies to the version that was asked about, not to a later one.
          ...(tool_version !== undefined && { tool_version }),
        },
      }),
    onSuccess: () => {
      // Tool pages show the person's own policy.
      if (!assistant) for (const key of [['tools'], ['tool', toolId]]) forget(key)
      toast.success(
        assistant ? t('input.allowed_for', { assistant: assistant.name }) : t('input.allowed_own'),
      )
    },
    onError: (error) => toast.error(errorText(t, error)),
  })
}

const forget = (queryKey: string[]) => void queryClient.invalidateQueries({ queryKey })
