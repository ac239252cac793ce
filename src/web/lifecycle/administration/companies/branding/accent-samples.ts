/** Colour of the picker while none is chosen. */
export const UNSET = '#4f5fd0'
/** Shown in the empty field. */
export const EXAMPLE = '#1d4ed8'
