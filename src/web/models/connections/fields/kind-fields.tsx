import type { FormField } from '#shared/models/connections/provider-form.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input, PasswordInput } from '../../../platform/ui/input.tsx'
import type { ConnectionForm } from '../use-connection-form.ts'

/** Further fields of a kind; each group has a switch. */
export function KindFields({ form }: { form: ConnectionForm }) {
  const { t } = useTranslation('admin')
  const { draft, change } = form
  const { fields } = draft.form
  const groups = [...new Set(fields.flatMap(({ group }) => group ?? []))]
  const toggle = (group: string, isOn: boolean) => {
    const others = draft.groups.filter((one) => one !== group)
    change({ ...draft, groups: isOn ? [...others, group] : others })
  }
  return (
    <>
      <FieldGrid form={form} fields={fields.filter(({ group }) => group === null)} />
      {groups.map((group) => (
        <div key={group} className="grid gap-4">
          <Checkbox
            label={t(`models.form.groups.${group}`)}
            checked={draft.groups.includes(group)}
            onCheckedChange={(isOn) => toggle(group, isOn)}
          />
          {draft.groups.includes(group) && (
            <FieldGrid form={form} fields={fields.filter((field) => field.group === group)} />
          )}
        </div>
      ))}
    </>
  )
}

function FieldGrid({ form, fields }: { form: ConnectionForm; fields: readonly FormField[] }) {
  if (fields.length === 0) return null
  return (
    <div className="grid gap-3.5 sm:grid-cols-2">
      {fields.map((field, at) => (
        <KindField
          key={field.path}
          form={form}
          field={field}
          isLast={at === fields.length - 1 && at % 2 === 0}
        />
      ))}
    </div>
  )
}

function KindField({ form, field, isLast }: { form: ConnectionForm; field: FormField; isLast: boolean }) {
  const { t } = useTranslation('admin')
  const { draft, problems, change } = form
  const { path, text } = field
  const problem = problems[path]
  const Typed = field.secret ? PasswordInput : Input
  return (
    <Field
      className={isLast ? 'sm:col-span-2' : undefined}
      label={t(`models.form.${text}`)}
      optional={!field.required}
      hint={field.has_hint ? t(`models.form.${text}_hint`) : undefined}
      error={problem && t(`models.form.${problem}`)}
    >
      <Typed
        autoComplete="off"
        spellCheck={false}
        className="font-mono text-13!"
        placeholder={field.example}
        value={draft.values[path] ?? ''}
        onChange={({ target }) => change({ ...draft, values: { ...draft.values, [path]: target.value } })}
      />
    </Field>
  )
}
