/** Signs that a text in the right encoding does not have where they are. */
const ODD = [
  // Signs that no word contains, between two letters.
  /(?<=\p{L})[^\0-\x7f\p{L}\p{M}\s‘’·‐–—\u00ad](?=\p{L})/gu,
  // Signs that never begin a word, and fractions that never end one.
  /[£¥¦¬¯³¹¼½¾](?=\p{Ll}|(?!\p{ASCII})\p{L})|(?<=\p{L}{2})[¶¬¦¯¼½¾]/gu,
  /[\x80-\x9f\ufffd]/g,
  // A capital behind a small letter, where one of the two is beyond ASCII.
  /(?<=\p{Ll})(?!\p{ASCII})\p{Lu}|(?<=(?!\p{ASCII})\p{Ll})\p{Lu}/gu,
  // Two scripts in one word.
  /[a-z][\u0370-\u052f\u0590-\u06ff\u0e00-\u0e7f]|[\u0370-\u052f\u0590-\u06ff\u0e00-\u0e7f][a-z]/giu,
  // Marks without the letter that carries them.
  /(?<![\u0e01-\u0e2e\u0e31-\u0e3a\u0e47-\u0e4e])[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]/g,
  // Signs that only end words.
  /[ฯๆ](?=[\u0e01-\u0e2e])/g,
  /(?<![א-ת\u05b0-\u05c7])[\u05b0-\u05c7]|(?<![\u0621-\u06d3])[\u064b-\u0652]/g,
  /(?<!\p{L})[ъьы]|(?<=[ъь])[ъьы]/giu,
  // Mathematics and parts of frames, from encodings that have letters there.
  /[─-╿▀-▟⌠⌡∞∂∑∏π∫Ω√≈∆◊ﬁﬂˇ˘˙˚˝˛]/gu,
]
/** Signs of running text that are no letters. */
const USUAL = /[«»“”„‘’…–—№€\u00a0°§²³×·¿¡ºª،؛؟\u200c-\u200f]/

/** Returns the share of signs beyond ASCII that are odd for a text in the right encoding; above 1 if several rules count a sign. */
export function oddShare(text: string): number {
  const foreign = text.match(/[^\0-\x7f]/gu) ?? []
  const found = ODD.reduce((sum, signs) => sum + (text.match(signs)?.length ?? 0), 0)
  const unusual = foreign.filter((sign) => !/[\p{L}\p{M}]/u.test(sign) && !USUAL.test(sign)).length
  return (found + unusual / 2) / Math.max(1, foreign.length)
}
