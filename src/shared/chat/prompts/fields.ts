import * as z from 'zod/mini'
import { label, text } from '../../platform/primitives.ts'
import { findFault } from '../../runs/input-requests/field-value.ts'
import type { FieldType } from '../../runs/runs/request.ts'
import { builtInFields, isFieldName, MAX_FIELD_NAME } from './template.ts'

/** Maximum fields of a prompt. */
export const MAX_FIELDS = 30
export const MAX_OPTIONS = 50

/** The field types of an input request that a prompt may use. */
export const PromptFieldType = z.enum([
  ...(['text', 'long_text', 'choice', 'number', 'date', 'file', 'document'] as const satisfies FieldType[]),
])
export type PromptFieldType = z.infer<typeof PromptFieldType>

const Name = text(1, MAX_FIELD_NAME).check(
  z.refine(isFieldName, 'is not a name of letters, digits, _ and -'),
  z.refine((name) => !builtInFields.some((one) => one === name), 'is the name of a built-in field'),
)

/** One field of a prompt, as in an input request. `value` is its default, which may use built-in fields. */
export const PromptField = z
  .object({
    name: Name,
    /** Shown above the field; empty: the name. */
    label: z._default(label(0, 200), ''),
    type: PromptFieldType,
    required: z._default(z.boolean(), false),
    options: z.optional(z.array(label(1, 200)).check(z.maxLength(MAX_OPTIONS))),
    value: z.optional(text(0, 10_000)),
  })
  .check(
    z.refine(({ type, options }) => type !== 'choice' || (options?.length ?? 0) > 0, {
      ...{ error: 'is needed for a choice', path: ['options'] },
    }),
    z.refine((field) => isDefault(field), { error: 'is not a value of this field', path: ['value'] }),
  )
export type PromptField = z.infer<typeof PromptField>

/** Fields with different names. */
export const PromptFields = z.array(PromptField).check(
  z.maxLength(MAX_FIELDS),
  z.refine(
    (fields) => new Set(fields.map(({ name }) => name)).size === fields.length,
    'has two fields of one name',
  ),
)

/** A default with a built-in field is checked when it is filled in. */
function isDefault({
  type,
  options,
  value,
}: Pick<z.infer<typeof PromptField>, 'type' | 'options' | 'value'>): boolean {
  if (value === undefined || value.includes('{{')) return true
  return findFault({ type, ...(options && { options }) }, value) === null
}
