import type { TFunction } from './i18n.ts'

/**
 * What tools, their inputs, the choices of these and their outputs are called in the language of the interface: by `tool_ui`, which
 * the caller has loaded before, else as the server calls them.
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

/** A name of the code as people read it. */
export function readableName(name: string): string {
  const words = name.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
