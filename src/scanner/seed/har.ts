// A HAR 1.2 archive as operations: the recorded requests of a browser, without those for styles, images and the like.

import type { Operation } from '../types.ts'
import { type Document, listIn, objectIn, textIn } from './document.ts'
import { fromObserved } from './observed.ts'

const STATIC = /\.(css|js|mjs|map|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|eot|mp4|webm|mp3)(\?|$)/i

export const isHar = (document: Document): boolean => Array.isArray(objectIn(document.log).entries)

export function fromHar(document: Document): Operation[] {
  return listIn(objectIn(document.log).entries).flatMap((entry) => {
    const request = objectIn(objectIn(entry).request)
    const url = textIn(request.url)
    if (STATIC.test(url)) return []
    const posted = objectIn(request.postData)
    const operation = fromObserved({
      method: textIn(request.method) || 'GET',
      url,
      headers: listIn(request.headers).map((one): [string, string] => [
        textIn(objectIn(one).name),
        textIn(objectIn(one).value),
      ]),
      body: bodyOf(posted),
      mediaType: textIn(posted.mimeType),
      source: 'har',
    })
    return operation ? [operation] : []
  })
}

function bodyOf(posted: Document): string | null {
  const text = textIn(posted.text)
  if (text !== '') return text
  const pairs = listIn(posted.params).map((one): [string, string] => [
    textIn(objectIn(one).name),
    textIn(objectIn(one).value),
  ])
  return pairs.length > 0 ? new URLSearchParams(pairs).toString() : null
}
