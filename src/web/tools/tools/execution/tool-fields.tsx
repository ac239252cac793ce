import type { Tool } from '#shared/tools/tools/tools.ts'
import { ToolInput } from './tool-input.tsx'

type ToolFieldsProps = {
  tool: Tool
  values: Record<string, string>
  disabled: boolean
  /** Validation errors by input. */
  wrong: readonly { path: string; message: string }[]
  onChange: (values: Record<string, string>) => void
  /** Inputs to omit because they are requested elsewhere. */
  without?: readonly string[]
}

/** Form fields for a tool's inputs, in schema order. */
export function ToolFields({ tool, values, disabled, wrong, onChange, without = [] }: ToolFieldsProps) {
  const asked = Object.entries(tool.input_schema.properties).filter(([name]) => !without.includes(name))
  return asked.map(([name, property]) => (
    <ToolInput
      key={name}
      tool={tool}
      name={name}
      property={property}
      value={values[name] ?? ''}
      disabled={disabled}
      error={wrong.find(({ path }) => path === name)?.message}
      onChange={(value) => onChange({ ...values, [name]: value })}
    />
  ))
}
