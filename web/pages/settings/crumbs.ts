// The breadcrumb that leads from a settings page back to all settings.

import type { Crumb } from '../../frame/page.tsx'
import { to } from '../../util/path-builder.ts'

export const inSettings = (companyId: string): readonly Crumb[] => [
  { name: 'Settings', path: to.settings({ companyId }) },
]
