/** Hides a detail of a message until the message is hovered, focused or tapped. */
export const shownOnHover =
  'opacity-0 transition-opacity duration-120 group-hover/message:opacity-100 group-focus-within/message:opacity-100'
