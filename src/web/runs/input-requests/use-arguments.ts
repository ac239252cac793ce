import { useState } from 'react'
import type { AskedTool } from '#shared/runs/runs/request.ts'
import { jsonProblem } from './answer-draft.ts'
import { argumentsOf, readArgument, showArgument } from './tool-arguments.ts'

type Values = Record<string, unknown>

/** The editable arguments of a call, one by one or as JSON. */
export function useArguments(tool: AskedTool | undefined) {
  const original = (tool?.input ?? {}) as Values
  const list = argumentsOf(tool?.input_schema, original)
  const initial = () =>
    Object.fromEntries(list.map((one) => [one.name, showArgument(one, original[one.name])]))
  const [texts, setTexts] = useState<Record<string, string>>(initial)
  const [json, setJson] = useState<string | null>(null)

  const wrong = json === null ? list.filter((one) => one.control === 'json' && isWrong(texts[one.name])) : []
  const jsonWrong = json !== null && (jsonProblem(json) !== null || !isRecord(JSON.parse(json)))
  const read = (): Values => {
    if (json !== null) return JSON.parse(json) as Values
    const values = list.map((one) => [one.name, readArgument(one, texts[one.name] ?? '', original[one.name])])
    return Object.fromEntries(values.filter(([, value]) => value !== undefined))
  }
  const isValid = wrong.length === 0 && !jsonWrong
  return {
    toolId: tool?.tool_id ?? '',
    list,
    texts,
    set: (name: string, text: string) => setTexts((before) => ({ ...before, [name]: text })),
    json,
    setJson,
    isWrong: (name: string) => wrong.some((one) => one.name === name),
    jsonWrong,
    isValid,
    /** The person has changed the model's arguments. */
    isEdited: isValid && JSON.stringify(read()) !== JSON.stringify(original),
    /** Returns the current arguments, and whether they are still the model's. */
    read: () => {
      const values = read()
      return { values, isChanged: JSON.stringify(values) !== JSON.stringify(original) }
    },
    toggleJson: () => {
      if (json === null) return setJson(JSON.stringify(read(), null, 2))
      const values = read()
      setTexts(Object.fromEntries(list.map((one) => [one.name, showArgument(one, values[one.name])])))
      setJson(null)
    },
  }
}

export type ArgumentsControl = ReturnType<typeof useArguments>

function isWrong(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '' && jsonProblem(text) !== null
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
