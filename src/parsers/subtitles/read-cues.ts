/** A cue with its time in seconds; `speaker` if the file names one. */
export type Cue = { start: number; end: number; text: string; speaker: string | null }

/** `00:00:04.963 --> 00:00:08.571`, with a comma in SubRip; the hours may be missing. */
const ARROW = /^((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})\s*-->\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})/
/** `0:00:04.963,0:00:08.571`, as YouTube writes it. */
const COMMA = /^(\d+:\d{2}:\d{2}\.\d{3}),(\d+:\d{2}:\d{2}\.\d{3})$/

/**
 * The cues of WebVTT, SubRip and SBV files; null if the text is none of them. Notes and styles are left out. Two close
 * lines of the same speaker remain two cues.
 */
export function readCues(text: string): Cue[] | null {
  const isWebVtt = /^\ufeff?WEBVTT(\s|$)/.test(text)
  const lines = text.slice(0, 2000).split('\n')
  const first = lines.findIndex((line) => timesOf(line) !== null)
  // Other texts may quote a time; in subtitles it comes first, after at most a number.
  if (
    !isWebVtt &&
    (first < 0 || lines.slice(0, first).some((line) => !/^\d*$/.test(line.replace('\ufeff', '').trim())))
  )
    return null
  const cues: Cue[] = []
  let open: (Cue & { lines: string[] }) | null = null
  let isBlank = true
  const close = () => {
    for (const cue of open ? closed(open) : []) cues.push(cue)
    open = null
  }
  for (const line of text.split('\n')) {
    const times = timesOf(line)
    if (times) {
      // SubRip's number, or an id, is on the previous line if there was no blank line between.
      if (open && !isBlank && /^\d+$/.test(open.lines.at(-1) ?? '')) open.lines.pop()
      close()
      open = { ...times, text: '', speaker: null, lines: [] }
    } else if (line.trim() === '') {
      if (open && open.lines.length > 0) close()
    } else open?.lines.push(line)
    isBlank = line.trim() === ''
  }
  close()
  return cues.filter((cue) => cue.text !== '')
}

function timesOf(line: string): { start: number; end: number } | null {
  const [, from, to] = ARROW.exec(line.trim()) ?? COMMA.exec(line.trim()) ?? []
  return from && to ? { start: secondsOf(from), end: secondsOf(to) } : null
}

function secondsOf(time: string): number {
  return time
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0)
}

/** Returns one cue per speaker, with the times of the whole. */
const closed = ({ start, end, lines }: Cue & { lines: string[] }): Cue[] =>
  partsOf(lines).map((written) => toCue(written, start, end))

const VOICE = /(?=<v(?:\.[^\s<>]{0,100})?\s)/
/** A line of a dialogue: `- Ada: One.` or `>> ADA: One.`. */
const TURN = /^\s*(?:-|–|>>)\s*\S/

/** The parts of a cue by speaker. */
function partsOf(lines: string[]): string[] {
  const voices = lines.join('\n').split(VOICE)
  if (voices.length > 1) return voices
  const turns = lines.map((line) => TURN.test(plain(line)))
  if (turns.filter(Boolean).length < 2) return [lines.join('\n')]
  const parts: string[][] = []
  for (const [at, line] of lines.entries()) {
    if (turns[at] || parts.length === 0) parts.push([line])
    else parts.at(-1)?.push(line)
  }
  return parts.map((part) => part.join('\n'))
}

function toCue(written: string, start: number, end: number): Cue {
  const voice = /<v(?:\.[^\s<>]{0,100})?\s([^<>]{1,300})>/.exec(written)?.[1]
  const text = plain(written)
  if (voice) return { start, end, text, speaker: plain(voice) }
  // Zoom writes `Ada Renard: We agreed`, SBV and television `>> ADA: We agreed`.
  const [, named, rest] =
    /^(?:>>\s*|-\s*)?(\p{Lu}[\p{L}\p{M}.'’ -]{0,40}?(?: \([^)]{1,30}\))?):\s+(.+)$/su.exec(text) ?? []
  return named && rest ? { start, end, text: rest, speaker: named } : { start, end, text, speaker: null }
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  lrm: '',
  rlm: '',
  quot: '"',
}

/** Without tags of either format: `<b>`, `<c.yellow>`, `<00:00:05.000>`, `{\an8}`. */
function plain(text: string): string {
  return text
    .replace(/<\/?(?:[a-z]+(?:[.\s][^<>]*)?|\d[\d:.]*)>/gi, '')
    .replace(/\{\\[^{}]{0,500}\}/g, '')
    .replace(/&(#\d{1,6}|[a-z]+);/gi, (whole, name: string) =>
      name.startsWith('#')
        ? String.fromCodePoint(Math.min(0x10ffff, Number(name.slice(1))))
        : (entities[name.toLowerCase()] ?? whole),
    )
    .replaceAll('[br]', ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
