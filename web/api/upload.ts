// Uploads a file as part of an operation, by the GraphQL multipart request specification, and reports progress.

import { stringifyDocument, type TypedDocumentNode } from 'urql'
import { Failure } from './failure.ts'
import { consoleHeaders } from './session.ts'

/** `at` is the file's path in the variables, such as `input.file`; `onSent` receives the fraction sent, 0 to 1. */
type Upload = { file: File; at: string; onSent?: (part: number) => void; signal?: AbortSignal }

type Problem = { message: string; extensions?: { code?: string; argument?: string; requestId?: string } }

/**
 * Resolves to the data of the answer, or rejects with a Failure in the server's words. Leave the file's place in
 * `variables` empty.
 */
export function upload<Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Record<string, unknown>,
  { file, at, onSent, signal }: Upload,
): Promise<Data> {
  const body = new FormData()
  body.append('operations', JSON.stringify({ query: stringifyDocument(document), variables: withHole(variables, at) }))
  body.append('map', JSON.stringify({ 0: [`variables.${at}`] }))
  body.append('0', file, file.name)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/graphql')
    for (const [name, value] of Object.entries(consoleHeaders)) request.setRequestHeader(name, value)
    request.setRequestHeader('accept', 'application/json')
    request.upload.onprogress = ({ loaded, total }) => onSent?.(total > 0 ? loaded / total : 0)
    request.onerror = () => reject(new Failure('The file did not reach the server. Try again.', 'UNREACHABLE'))
    request.onabort = () => reject(new Failure('Upload cancelled. Nothing was stored.', 'CANCELLED'))
    request.onload = () => {
      const answer = readJson(request.responseText)
      const [problem] = answer?.errors ?? []
      if (problem) {
        const { code = 'UNKNOWN', argument, requestId } = problem.extensions ?? {}
        return reject(new Failure(problem.message, code, argument, requestId))
      }
      if (!answer?.data) return reject(new Failure(`The server answered ${request.status}.`, 'UNKNOWN'))
      resolve(answer.data as Data)
    }
    signal?.addEventListener('abort', () => request.abort())
    request.send(body)
  })
}

function withHole(variables: Record<string, unknown>, at: string): Record<string, unknown> {
  const copy = structuredClone(variables)
  const names = at.split('.')
  let place: Record<string, unknown> = copy
  for (const name of names.slice(0, -1)) {
    const inner = (place[name] ?? {}) as Record<string, unknown>
    place[name] = inner
    place = inner
  }
  place[names.at(-1) ?? at] = null
  return copy
}

function readJson(text: string): { data?: unknown; errors?: Problem[] } | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
