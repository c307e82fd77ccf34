// Content negotiation: which content types a body may have, and which of two types the answer has.

import { ApplicationError } from '../core/errors.ts'

export const GRAPHQL_RESPONSE = 'application/graphql-response+json'

const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{1,40})"?/i

/** 'json' or 'multipart'; UNSUPPORTED_MEDIA_TYPE for another type, another charset than UTF-8, or a compressed body. */
export function bodyKind(headers: Record<string, string | string[] | undefined>): 'json' | 'multipart' {
  const type = String(headers['content-type'] ?? '')
  const encoding = String(headers['content-encoding'] ?? 'identity').trim()
  if (encoding.toLowerCase() !== 'identity') throw unsupported('The body must not be compressed')
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8'
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) throw unsupported('The body must be in UTF-8')
  const essence = type.split(';', 1)[0]?.trim().toLowerCase()
  if (essence === 'application/json') return 'json'
  if (essence === 'multipart/form-data') return 'multipart'
  throw unsupported('The content-type must be application/json or multipart/form-data')
}

export const unsupported = (message: string) => new ApplicationError('UNSUPPORTED_MEDIA_TYPE', message)

/** Whether the caller accepts application/graphql-response+json, and does not prefer application/json. */
export function prefersResponseType(accept: string | undefined): boolean {
  const wanted = (accept ?? '').toLowerCase().split(',').map(readMediaRange)
  const response = wanted.findIndex(({ type }) => type === GRAPHQL_RESPONSE)
  const json = wanted.findIndex(({ type }) => type === 'application/json')
  const quality = (place: number) => wanted[place]?.quality ?? 0
  if (quality(response) === 0) return false
  return quality(response) > quality(json) || (quality(response) === quality(json) && response < json)
}

function readMediaRange(text: string): { type: string; quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim())
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = given === undefined ? 1 : Number(given.slice(2))
  return { type, quality: Number.isFinite(quality) ? quality : 0 }
}
