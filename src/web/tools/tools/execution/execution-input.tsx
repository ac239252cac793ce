import { Pencil, Play } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Skeleton } from '../../../platform/ui/states/skeleton.tsx'
import { LargeBody } from '../card/large-body.tsx'
import { isPartial } from '../card/use-whole.ts'
import { Values } from '../card/values.tsx'
import { factsOf } from '../look/tool-look.ts'
import { readValues, startValues } from './inputs.ts'
import { ToolFields } from './tool-fields.tsx'
import type { Rerun } from './use-rerun.ts'

type ExecutionInputProps = {
  block: ToolBlock
  /** Undefined while loading or when the tool was deleted. */
  tool: Tool | undefined
  again: Rerun
  isForm: boolean
  setForm: (isForm: boolean) => void
}

/** Input of an execution, with a form to rerun the tool with other values. */
export function ExecutionInput({ block, tool, again, isForm, setForm }: ExecutionInputProps) {
  const { t } = useTranslation('streaming_blocks')
  const { input } = block
  const [hasLeft, setLeft] = useState(false)
  const leave = () => {
    setLeft(true)
    setForm(false)
  }
  if (isPartial(block) && block.input_ref)
    return <LargeBody block={block} hasCard isOpened draw={() => <Skeleton className="h-24 w-full" />} />
  if (tool && isForm) return <InputForm {...{ block, tool, again }} onEnd={leave} />
  const isEmpty = input === null || input === undefined || input === ''
  return (
    <div className="grid justify-items-start gap-3">
      {isEmpty ? (
        <p className="text-13 text-ink-2">{t('artifact.no_input')}</p>
      ) : (
        <Values toolId={block.tool_id} side="inputs" value={factsOf(block).input} />
      )}
      {tool && (
        <Button
          autoFocus={hasLeft}
          icon={<Pencil aria-hidden className="icon" />}
          onClick={() => setForm(true)}
        >
          {t('artifact.edit')}
        </Button>
      )}
    </div>
  )
}

type InputFormProps = { block: ToolBlock; tool: Tool; again: Rerun; onEnd: () => void }

function InputForm({ block, tool, again, onEnd }: InputFormProps) {
  const { t } = useTranslation('streaming_blocks')
  const [values, setValues] = useState(() => startValues(tool, factsOf(block).input))
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), [])
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!again.isStarting) again.rerun(readValues(tool, values))
  }
  return (
    <form ref={form} onSubmit={onSubmit} noValidate className="grid gap-4">
      <ToolFields
        tool={tool}
        values={values}
        disabled={again.isStarting}
        wrong={again.fields}
        onChange={setValues}
      />
      <div className="flex gap-2">
        <Button
          type="submit"
          variant="primary"
          busy={again.isStarting}
          icon={<Play aria-hidden className="icon" />}
        >
          {t('artifact.run')}
        </Button>
        <Button variant="ghost" onClick={onEnd}>
          {t('common:actions.cancel')}
        </Button>
      </div>
    </form>
  )
}
