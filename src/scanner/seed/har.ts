// A HAR 1.2 archive as operations: the recorded requests of a browser, without those for styles, images and the like.

import type { Field, Json, Operation } from '../types.ts'
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
      ...(textIn(posted.text) === '' && listIn(posted.params).length > 0
        ? { fields: listIn(posted.params).map(fieldOf) }
        : { body: textIn(posted.text) }),
      mediaType: textIn(posted.mimeType),
      source: 'har',
    })
    return operation ? [operation] : []
  })
}

/** Of a file the archive may have no more than its name. */
function fieldOf(given: Json): Field {
  const { name, value, fileName, contentType } = objectIn(given)
  if (textIn(fileName) === '') return { name: textIn(name), value: textIn(value) }
  const mediaType = textIn(contentType) || 'application/octet-stream'
  return { name: textIn(name), value: textIn(value) || 'merlon', fileName: textIn(fileName), mediaType }
}
