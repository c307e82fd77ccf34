// All kinds of secrets that are known by their form: one line an area.

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
