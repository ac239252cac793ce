import { X } from 'lucide-react'
import { useState } from 'react'
import { partsOf } from '#shared/chat/prompts/template.ts'
import type { InputField } from '#shared/runs/runs/request.ts'
import { DocumentSearch } from '../../../knowledge/documents/documents.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { useFieldControl } from '../../../platform/ui/field.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { checkDraft, filesOf, RequestField } from '../../../runs/input-requests/input-requests.tsx'
import { type BuiltInValues, valuesOf, writtenValues } from './fill-prompt.ts'
import type { PromptDraft } from './use-prompt-draft.ts'

type PromptFieldsProps = {
  fields: readonly InputField[]
  promptDraft: PromptDraft
  /** Shows what is missing. */
  isChecked: boolean
  className?: string
}

/** The fields of a prompt, as in an input request. */
export function PromptFields({ fields, promptDraft, isChecked, className }: PromptFieldsProps) {
  const { control, addDocument } = promptDraft
  const { problems } = checkDraft(fields, control.draft)
  return (
    <div className={`grid items-start gap-4 ${className ?? ''}`}>
      {fields.map((field) => (
        <RequestField
          key={field.name}
          isCompact
          field={field}
          control={control}
          problem={isChecked ? problems.get(field.name) : undefined}
          renderDocument={({ name }, label) => (
            <DocumentField
              label={label}
              chosen={filesOf(control.draft[name])}
              onAdd={(document) => addDocument(name, document)}
              onRemove={(key) => control.remove(name, key)}
            />
          )}
        />
      ))}
    </div>
  )
}

type DocumentFieldProps = {
  label: string
  chosen: readonly { key: string; name: string }[]
  onAdd: (document: { id: string; name: string }) => void
  onRemove: (key: string) => void
}

/** Documents of the library, found by name. */
function DocumentField({ label, chosen, onAdd, onRemove }: DocumentFieldProps) {
  const { t } = useTranslation(['prompts', 'documents'])
  const [isOpen, setOpen] = useState(false)
  const control = useFieldControl()
  return (
    <div className="grid justify-items-start gap-2">
      {chosen.map(({ key, name }) => (
        <span key={key} className="flex max-w-full items-center gap-1 text-13">
          <span className="truncate">{name}</span>
          <IconButton name={t('documents:choose.remove', { name })} size="xs" onClick={() => onRemove(key)}>
            <X aria-hidden className="icon-14" />
          </IconButton>
        </span>
      ))}
      {isOpen ? (
        <div className="w-full">
          <DocumentSearch
            chosen={chosen.map(({ key }) => key)}
            onChoose={(id, name) => {
              onAdd({ id, name })
              setOpen(false)
            }}
          />
        </div>
      ) : (
        <Button
          {...control}
          aria-label={t('fill.choose_document', { name: label })}
          onClick={() => setOpen(true)}
        >
          {t('documents:choose.open')}
        </Button>
      )}
    </div>
  )
}

type PreviewProps = {
  text: string
  fields: readonly InputField[]
  promptDraft: PromptDraft
  builtIn: BuiltInValues
}

/** The message so far: filled values stand out, open placeholders are named. */
export function PromptPreview({ text, fields, promptDraft, builtIn }: PreviewProps) {
  const values = new Map([...writtenValues(builtIn), ...valuesOf(fields, promptDraft.control.draft)])
  const labels = new Map(fields.map(({ name, label }) => [name, label]))
  return (
    <p dir="auto" className="text-13 leading-5 wrap-anywhere whitespace-pre-wrap text-ink-2">
      {partsOf(text, new Set(values.keys())).map((part, at) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: parts may be alike and never move.
        if ('text' in part) return <span key={at}>{part.text}</span>
        const value = values.get(part.name)
        return value ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts may be alike and never move.
          <b key={at} className="font-medium text-ink">
            {value}
          </b>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts may be alike and never move.
          <span key={at} className="rounded-tag bg-accent-soft px-1 text-accent">
            {labels.get(part.name) ?? part.name}
          </span>
        )
      })}
    </p>
  )
}
