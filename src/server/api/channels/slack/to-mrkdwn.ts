/** Characters that Slack reads as control characters. */
const escaped: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/**
 * Returns Markdown as Slack's mrkdwn: bold, headings, lists and links. Text is escaped, so that an answer mentions no one
 * (`<!channel>`). Links keep their labels: `withTrueLinks` shows the hosts of foreign ones before.
 */
export function toMrkdwn(markdown: string): string {
  let isCode = false
  return markdown
    .split('\n')
    .map((line) => {
      if (line.trimStart().startsWith('```')) {
        isCode = !isCode
        return '```'
      }
      return isCode ? escaping(line) : lineOf(line)
    })
    .join('\n')
}

const escaping = (text: string) => text.replace(/[&<>]/g, (character) => escaped[character] ?? '')

function lineOf(line: string): string {
  const text = escaping(line)
  const heading = /^#{1,6} (.*)$/.exec(text)
  if (heading) return `*${links((heading[1] ?? '').replaceAll('**', ''))}*`
  return links(text.replace(/^(\s{0,20})[-*] /, '$1• ').replace(/\*\*([^*]{1,2000})\*\*/g, '*$1*'))
}

/** Only `[label](https://…)` is a link. */
const links = (text: string) =>
  text.replace(
    /\[((?:[^[\]]|\[[^[\]]{0,100}\]){1,500})\]\((https?:\/\/[^\s()|]{1,2000})\)/g,
    (_, label, url) => `<${url}|${label}>`,
  )
