/** The beginning of a text: a marker that names passages by number or by id, a text that may become one, or neither. */
export type Marker =
  | { kind: 'marker'; length: number; numbers: number[]; ids: string[] }
  | { kind: 'partial' }
  | { kind: 'none' }

export const NONE: Marker = { kind: 'none' }
export const PARTIAL: Marker = { kind: 'partial' }
export const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi
