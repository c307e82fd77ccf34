// The definition of a kind of secret: the form that its provider documents, and how it is told from chance.

import type { Severity } from '../../../reports/types.ts'
import type { CheckName } from '../checks.ts'

export type Kind = {
  /** lower case, stable: the rule's id is `secret/<id>` */
  id: string
  /** as people call it, without an article */
  name: string
  /** see form.ts */
  form: string
  /** The form alone says too little: it counts only where it is assigned to a name that has one of these words. */
  words?: readonly string[]
  /** what else the token must satisfy */
  check?: CheckName
  /** HIGH unless it says otherwise */
  severity?: Severity
}
