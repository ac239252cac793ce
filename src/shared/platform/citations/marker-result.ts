/** Classifies the beginning of a text: a marker with numbers or ids of passages, a possible marker, or neither. */
export type Marker =
  | { kind: 'marker'; length: number; numbers: number[]; ids: string[] }
  | { kind: 'partial' }
  | { kind: 'none' }

export const NONE: Marker = { kind: 'none' }
export const PARTIAL: Marker = { kind: 'partial' }
export const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi
