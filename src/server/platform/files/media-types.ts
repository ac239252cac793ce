const types: Record<string, string> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ...{ rtf: 'application/rtf', doc: 'application/msword', xls: 'application/vnd.ms-excel' },
  ...{ ppt: 'application/vnd.ms-powerpoint', epub: 'application/epub+zip', zip: 'application/zip' },
  ...{ html: 'text/html', htm: 'text/html', md: 'text/markdown', markdown: 'text/markdown' },
  ...{
    txt: 'text/plain',
    text: 'text/plain',
    csv: 'text/csv',
    json: 'application/json',
    xml: 'application/xml',
  },
  ...{ eml: 'message/rfc822', msg: 'application/vnd.ms-outlook' },
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  ...{ bmp: 'image/bmp', tiff: 'image/tiff', tif: 'image/tiff', svg: 'image/svg+xml' },
  ...{
    mp3: 'audio/mpeg',
    wav: 'audio/wav',
    ogg: 'audio/ogg',
    flac: 'audio/flac',
    m4a: 'audio/mp4',
    aac: 'audio/aac',
  },
  ...{
    mp4: 'video/mp4',
    webm: 'video/webm',
    mov: 'video/quicktime',
    avi: 'video/x-msvideo',
    mkv: 'video/x-matroska',
  },
}

/** Returns the media type of an extension; the generic binary type if it is unknown. */
export function mediaTypeOf(extension: string): string {
  return types[extension.toLowerCase()] ?? 'application/octet-stream'
}
