// An error as the server reports it: one sentence, a code, and the argument that caused it.

import type { CombinedError } from 'urql'
import { withPermissionWords, withToolNames } from '../util/words.ts'

export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: string
  /** The path of the argument at fault, such as `input.name`. */
  readonly argument: string | undefined
  readonly requestId: string | undefined

  constructor(message: string, code: string, argument?: string, requestId?: string) {
    super(message)
    this.code = code
    this.argument = argument
    this.requestId = requestId
  }
}

const word = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The first error of an answer, or the reason why no answer came. */
export function failureOf(error: CombinedError): Failure {
  const [first] = error.graphQLErrors
  if (!first) return new Failure('The server cannot be reached. Check that it runs, then try again.', 'UNREACHABLE')
  const { code, argument, requestId } = first.extensions
  return new Failure(
    withPermissionWords(withToolNames(first.message)),
    word(code) ?? 'UNKNOWN',
    word(argument),
    word(requestId),
  )
}

export const asFailure = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure(error instanceof Error ? error.message : String(error), 'UNKNOWN')
