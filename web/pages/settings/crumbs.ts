// The way back from a page of the settings to all of them.

import type { Crumb } from '../../frame/page.tsx'
import { to } from '../../util/path-builder.ts'

export const inSettings = (companyId: string): readonly Crumb[] => [
  { name: 'Settings', path: to.settings({ companyId }) },
]
