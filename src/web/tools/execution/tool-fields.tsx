import type { Tool } from '#shared/tools/tools.ts'
import { ToolInput } from './tool-input.tsx'

type ToolFieldsProps = {
  tool: Tool
  values: Record<string, string>
  disabled: boolean
  /** What is wrong with single inputs. */
  wrong: readonly { path: string; message: string }[]
  onChange: (values: Record<string, string>) => void
}

/** The inputs of a tool as fields, in the order of its schema. */
export function ToolFields({ tool, values, disabled, wrong, onChange }: ToolFieldsProps) {
  return Object.entries(tool.input_schema.properties).map(([name, property]) => (
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
