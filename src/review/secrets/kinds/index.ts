// All kinds of secrets with a known form: one line for each area.

import { cloud } from './cloud.ts'
import { codeHosting } from './code-hosting.ts'
import { intelligence } from './intelligence.ts'
import { messaging } from './messaging.ts'
import { money } from './money.ts'
import { observing } from './observing.ts'
import type { Kind } from './types.ts'
import { work } from './work.ts'

export const kinds: readonly Kind[] = [
  ...codeHosting,
  ...cloud,
  ...messaging,
  ...money,
  ...observing,
  ...intelligence,
  ...work,
]
