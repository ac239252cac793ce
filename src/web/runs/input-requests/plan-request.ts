import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'

/** Returns true when a request is for the approval of a plan, whose lines the person may change. */
export const isPlan = ({ checkpoint_name, fields }: InputRequiredBlock): boolean =>
  checkpoint_name.endsWith('waiting_for_input_plan') && fields?.length === 1

/** Returns true when a request is approved rather than answered. */
export const isForApproval = (request: InputRequiredBlock): boolean =>
  request.kind === 'approval' || isPlan(request)

/** Returns the lines of a plan without empty ones. */
export const linesOf = (text: unknown): string[] =>
  typeof text === 'string' ? text.split('\n').filter((line) => line.trim() !== '') : []
