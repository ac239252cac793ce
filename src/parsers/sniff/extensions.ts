import { type Format, formats } from '../elements/port.ts'

/** Extensions that are synonyms of a format. */
const others: Record<string, Format> = {
  ...all('docx', 'docm dotx dotm'),
  ...all('pptx', 'pptm potx potm ppsx ppsm'),
  ...all('xlsx', 'xlsm xltx xltm'),
  ...all('odt', 'ott'),
  ...all('ods', 'ots'),
  ...all('odp', 'otp'),
  ...all('doc', 'dot'),
  ...all('ppt', 'pps pot'),
  ...all('xls', 'xlt'),
  ...all('html', 'htm xhtml shtml'),
  ...all('md', 'markdown mdown mkd mdx'),
  ...all('txt', 'text log vtt srt sbv'),
  ...all('csv', 'tsv tab'),
  ...all('json', 'jsonl ndjson geojson ipynb'),
  ...all('xml', 'nxml rss atom xsd xsl xslt opml kml gpx wsdl'),
  ...all('eml', 'mht mhtml'),
  ...all('jpg', 'jpeg jpe jfif'),
  ...all('tiff', 'tif'),
  ...all('ogg', 'oga opus'),
  ...all('m4a', 'm4b'),
  ...all('mp3', 'mpga'),
  ...all('mp4', 'm4v'),
  ...all('mov', 'qt'),
}

/** The format suggested by a name; null if its extension is unknown. */
export function promisedFormat(name: string): Format | null {
  const extension = /\.([a-z0-9]{1,12})$/i.exec(name)?.[1]?.toLowerCase()
  return formats.find((one) => one === extension) ?? others[extension ?? ''] ?? null
}

function all(format: Format, extensions: string): Record<string, Format> {
  return Object.fromEntries(extensions.split(' ').map((extension) => [extension, format]))
}
