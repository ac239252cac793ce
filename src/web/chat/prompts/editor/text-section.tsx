import { Braces } from 'lucide-react'
import { useRef } from 'react'
import { builtInFields } from '#shared/chat/prompts/template.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input, Textarea } from '../../../platform/ui/input.tsx'
import { Menu } from '../../../platform/ui/overlays/menu.tsx'
import { FieldList } from './field-list.tsx'
import { FoundValues } from './found-values.tsx'
import { aField, commandOf, type Draft, type DraftField } from './prompt-form-draft.ts'

export type SectionProps = { draft: Draft; change: (edits: Partial<Draft>) => void }
type TextSectionProps = SectionProps & { problems: ReadonlySet<string>; isFromMessage: boolean }

/** Name, command, text and fields of a prompt. */
export function TextSection({ draft, change, problems, isFromMessage }: TextSectionProps) {
  const { t } = useTranslation('prompts')
  const area = useRef<HTMLTextAreaElement>(null)
  const insert = (written: string) => {
    const { selectionStart = draft.text.length, selectionEnd = draft.text.length } = area.current ?? {}
    change({ text: draft.text.slice(0, selectionStart) + written + draft.text.slice(selectionEnd) })
    area.current?.focus()
  }
  const setFields = (fields: DraftField[]) => change({ fields })
  return (
    <>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label={t('field.name')} error={problems.has('name') ? t('problem.name') : undefined}>
          <Input
            maxLength={100}
            value={draft.name}
            onChange={({ target }) => change({ name: target.value })}
          />
        </Field>
        <Field
          label={t('field.command')}
          hint={t('field.command_hint')}
          error={problems.has('command') ? t('problem.command') : undefined}
        >
          <Input
            maxLength={60}
            icon={<span className="font-mono text-13">/</span>}
            className="font-mono"
            spellCheck={false}
            autoCapitalize="off"
            value={draft.command ?? commandOf(draft.name)}
            onChange={({ target }) => change({ command: target.value })}
          />
        </Field>
      </div>
      <Field
        label={t('field.text')}
        hint={t('field.text_hint', { open: '{{', close: '}}' })}
        error={problems.has('text') ? t('problem.text') : undefined}
        aside={
          <Menu
            align="end"
            trigger={
              <Button size="sm" variant="ghost" icon={<Braces aria-hidden className="icon-14" />}>
                {t('insert')}
              </Button>
            }
            entries={[
              { kind: 'heading', label: t('insert_built_in') },
              ...builtInFields.map((name) => ({
                key: name,
                label: t(`built_in.${name}`),
                end: `{{${name}}}`,
                onSelect: () => insert(`{{${name}}}`),
              })),
            ]}
          />
        }
      >
        <Textarea
          ref={area}
          className="max-h-[50dvh] min-h-40! max-md:text-16"
          value={draft.text}
          onChange={({ target }) => change({ text: target.value })}
        />
      </Field>
      {isFromMessage && (
        <FoundValues
          text={draft.text}
          taken={draft.fields.map(({ name }) => name)}
          onTake={(field, text) => change({ text, fields: [...draft.fields, aField(field.name, field)] })}
        />
      )}
      <FieldList fields={draft.fields} problems={problems} onChange={setFields} />
    </>
  )
}
