import type { TFunction } from './i18n.ts'

/**
 * Returns the names of tools, inputs, choices and outputs in the interface's language: from `tool_ui`, which the caller has
 * loaded, otherwise the server's names.
 */
export function nameOfTool(
  t: TFunction,
  { tool_id, tool_name }: { tool_id: string; tool_name: string },
): string {
  return t(`tool_ui:${tool_id}.name`, { defaultValue: readableName(tool_name || tool_id) })
}

export function nameOfInput(t: TFunction, toolId: string, input: string): string {
  return t(`tool_ui:${toolId}.inputs.${input}.name`, { defaultValue: readableName(input) })
}

export function nameOfOutput(t: TFunction, toolId: string, output: string): string {
  return t(`tool_ui:${toolId}.outputs.${output}`, { defaultValue: readableName(output) })
}

export function nameOfOption(t: TFunction, toolId: string, input: string, value: string): string {
  return t(`tool_ui:${toolId}.inputs.${input}.options.${value}`, { defaultValue: value })
}

/** Returns an identifier as readable text. */
export function readableName(name: string): string {
  const words = name.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
